'use strict';

/** A time in nanoseconds in the largest unit that keeps it readable, as the program itself writes it. */
function time(nanoseconds) {
  if (nanoseconds < 0) return '-' + time(-nanoseconds);
  const units = [[864e11, 'd'], [36e11, 'h'], [6e10, 'min'], [1e9, 's'], [1e6, 'ms'], [1e3, 'µs']];
  const found = units.find(([size]) => nanoseconds >= size);
  if (!found) return nanoseconds + 'ns';
  const [size, unit] = found;
  let whole = Math.floor(nanoseconds / size);
  let thousandths = Math.round((nanoseconds % size) / size * 1000);
  if (thousandths === 1000) [whole, thousandths] = [whole + 1, 0];
  const decimals = thousandths ? '.' + String(thousandths).padStart(3, '0').replace(/0+$/, '') : '';
  return whole + decimals + unit;
}

/** A time to the nanosecond, for exact comparisons. */
function exactTime(nanoseconds) { return nanoseconds % 1000 === 0 ? time(nanoseconds) : nanoseconds + 'ns'; }

function share(part, whole) {
  if (!(whole > 0)) return '0 %';
  const percent = part / whole * 100;
  return percent > 0 && percent < 1 ? '< 1 %' : Math.round(percent) + ' %';
}

function grouped(count) { return String(count).replace(/\B(?=(\d{3})+$)/g, '\u202f'); }

function counted(count, noun) { return grouped(count) + ' ' + noun + (count === 1 ? '' : 's'); }

/** Text of a run without characters that change the direction of writing or are invisible. Joined emoji stay joined. */
function printable(text) {
  return String(text).replace(/(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d|[\u0000-\u001f\u007f-\u009f\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu,
    (character) => /\s/.test(character) ? ' ' : '?');
}

/** Text of the records, with the unit symbol that the figures of the page use. */
function worded(text) { return printable(text).replace(/(\d)us\b/g, '$1µs'); }

/** An element with its attributes and children. Text is never parsed as markup. */
function element(name, attributes = {}, ...children) {
  const result = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) result.addEventListener(key.slice(2), value);
    else if (value === true) result.setAttribute(key, '');
    else if (value !== false && value != null) result.setAttribute(key, value);
  }
  result.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return result;
}

/** Round points in time between two others, about as many as wanted. */
function ticks(from, to, wanted) {
  const least = (to - from) / Math.max(wanted, 1);
  if (!(least > 0)) return [from];
  const long = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400].map((s) => s * 1e9);
  let step = least > 3e10 ? long.find((candidate) => candidate >= least) : undefined;
  if (!step) {
    const unit = least > 3e10 ? 864e11 : 1;
    const power = unit * 10 ** Math.max(Math.floor(Math.log10(least / unit)), 0);
    step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= least) ?? 10 * power;
  }
  const result = [];
  for (let at = Math.ceil(from / step) * step; at <= to && result.length < 200; at += step) result.push(at);
  return result;
}

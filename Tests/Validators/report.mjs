// Usage: node report.mjs CHROMIUM REPORT [FOLDER]
//
// Opens a report in Chromium without a network, does to it what people do, and prints the result as a line of
// JSON. Screenshots go to FOLDER: light.png, dark.png, phone.png, phone-dark.png.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Browser } from './browser.mjs'

const [program, report, folder] = process.argv.slice(2)
const page = pathToFileURL(path.resolve(report)).href
const browser = await Browser.start(program)
const seen = { errors: [], requests: [] }
// A browser that hangs is no reason to wait forever.
setTimeout(() => {
  browser.process.kill('SIGKILL')
  console.error(`Chromium gave no answer; so far: ${JSON.stringify(seen).slice(0, 2000)}`)
  process.exit(1)
}, 120_000).unref()
try {
  browser.listen(({ method, params }) => {
    if (method === 'Runtime.exceptionThrown') seen.errors.push(params.exceptionDetails.exception?.description)
    if (method === 'Runtime.consoleAPICalled' && params.type === 'error') seen.errors.push(JSON.stringify(params.args))
    if (method === 'Log.entryAdded' && params.entry.level === 'error') seen.errors.push(params.entry.text)
    if (method === 'Network.requestWillBeSent' && params.request.url !== page) seen.requests.push(params.request.url)
  })
  for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await browser.send(domain + '.enable')
  await browser.send('Network.emulateNetworkConditions', {
    offline: true, latency: 0, downloadThroughput: 0, uploadThroughput: 0,
  })
  await browser.size(1280, 900)
  await browser.colors('light')
  await browser.open(page)
  const shot = (name, isWhole) => folder && browser.screenshot(path.join(folder, name), isWhole)
  await shot('light.png', true)
  await look(shot)
} finally {
  await browser.end()
}
console.log(JSON.stringify(seen))

async function look(shot) {
  const view = () => browser.ask(`(() => {
    const { from, to, frame } = document.querySelector('.chart').dataset
    return { from: +from, to: +to, frame: +frame }
  })()`)
  const place = (selector) => browser.ask(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)})
    element.scrollIntoView({ block: 'center' })
    const { left, top, width, height } = element.getBoundingClientRect()
    return { left, top, width, height }
  })()`)
  const text = (selector) => browser.ask(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? null`)

  seen.folded = []
  seen.title = await browser.ask('document.title')
  seen.whole = await view()
  const bars = await place('.rows canvas')
  const [x, y] = [bars.left + bars.width * 0.6, bars.top + Math.min(bars.height / 2, 40)]

  // The wheel, at a place that stays where it is; then keys.
  await browser.mouse('mouseWheel', x, y, { deltaX: 0, deltaY: -300 })
  seen.wheeled = await view()
  await browser.mouse('mouseWheel', x, y, { deltaX: 0, deltaY: 3000 })
  seen.wheeledBack = await view()
  await browser.ask(`document.querySelector('.chart').focus()`)
  await browser.press('+')
  seen.keyed = await view()
  await browser.press('ArrowRight')
  seen.panned = await view()
  await browser.press('0')
  seen.fitted = await view()
  await browser.ask(`document.querySelector('[aria-label="Zoom in"]').click()`)
  await browser.frames()
  seen.buttoned = await view()

  // Dragging.
  await browser.mouse('mousePressed', x, y, { button: 'left', buttons: 1, clickCount: 1 })
  await browser.mouse('mouseMoved', x - 100, y, { button: 'left', buttons: 1 })
  await browser.mouse('mouseReleased', x - 100, y, { button: 'left', clickCount: 1 })
  seen.dragged = await view()
  await browser.press('0')

  // Pointing and choosing.
  await browser.mouse('mouseMoved', x, bars.top + 14)
  seen.tip = await text('#tip:not([hidden])')
  await browser.mouse('mousePressed', x, bars.top + 14, { button: 'left', clickCount: 1 })
  await browser.mouse('mouseReleased', x, bars.top + 14, { button: 'left', clickCount: 1 })
  seen.details = await text('.details')
  await browser.press('ArrowDown')
  seen.nextDetails = await text('.details')
  await browser.mouse('mouseMoved', 5, 5)

  // Rows of many: opened by a click, folded by Enter, and opened for a step of theirs that is asked for elsewhere.
  const rows = () => browser.ask('timeline.rows.map((row) => row.label)')
  const click = async (selector) => {
    await browser.ask(`document.querySelector(${JSON.stringify(selector)})?.click()`)
    await browser.frames()
  }
  const many = await browser.ask('timeline.rows.findIndex((row) => row.members)')
  if (many >= 0) {
    await browser.press('0')
    if (await browser.ask('timeline.folding.isOpened')) await click('[aria-label^="Fold all"]')
    seen.folded = await rows()
    const chart = await place('.rows canvas')
    for (const type of ['mousePressed', 'mouseReleased']) {
      await browser.mouse(type, chart.left + 60, chart.top + many * 28 + 14, { button: 'left', clickCount: 1 })
    }
    seen.familyDetails = await text('.details')
    seen.opened = (await rows()).length
    await browser.ask(`document.querySelector('.chart').focus()`)
    await browser.press('Enter')
    seen.foldedByKey = await rows()
    await click('.path tbody button')
    seen.asked = await text('.details')
    seen.openedForIt = (await rows()).length
    await click('[aria-label^="Fold all"]')
    seen.foldedAgain = await rows()
  }

  // The lanes that the steps ran on.
  await click('[data-view=lanes]')
  seen.lanes = await browser.ask(`timeline.rows.filter((row) => row.lane).map((row) => [row.label, row.lane.work_ns, row.lane.blocked_ns, row.lane.idle_ns,
    row.stretches.map(({ kind, caption, from, to }) => [kind, caption, from, to])])`)
  if (seen.lanes.length) {
    const lanes = await place('.rows canvas')
    await browser.mouse('mouseMoved', lanes.left + lanes.width / 2, lanes.top + lanes.height - 14)
    seen.laneTip = await text('#tip:not([hidden])')
    await browser.mouse('mouseMoved', 5, 5)
  }
  await shot('lanes.png')
  await click('[data-view=steps]')

  // What changes with time.
  seen.strips = await browser.ask(`timeline.run.strips.map(({ label, points }) => [label, points.length])`)
  seen.leftOut = await text('.left-out')

  // Numbers, as the page shows them.
  seen.facts = await browser.ask(`Object.fromEntries([...document.querySelectorAll('[data-fact]')].map((fact) =>
    [fact.dataset.fact, fact.dataset.ns === undefined ? fact.textContent : +fact.dataset.ns]))`)
  const lines = `[...document.querySelectorAll('.steps tbody tr')].map((row) => ({
    step: +row.dataset.step, path: row.cells[0].innerText,
    numbers: Object.fromEntries([...row.querySelectorAll('[data-column]')].map((cell) =>
      [cell.dataset.column, cell.dataset.ns === undefined ? null : +cell.dataset.ns])) }))`
  seen.steps = await browser.ask(lines)
  seen.path = await browser.ask(`[...document.querySelectorAll('.path tbody tr')].map((row) =>
    [row.cells[0].innerText, +row.cells[1].dataset.ns, row.cells[3].innerText])`)
  seen.places = await browser.ask(`[[50, []], [50, [40]], [90, [10]], [90, [90]]].map(([x, taken]) => freePlace(x, 100, taken))`)
  seen.firstMarks = await browser.ask(`firstOfEach([[2, 10], [1, 30], [2, 40]])`)
  seen.findings = await browser.ask(`[...document.querySelectorAll('.finding h3')].map((finding) => finding.innerText)`)
  await browser.ask(`[...document.querySelectorAll('.steps th button')].find((head) => head.innerText === 'took').click()`)
  seen.sorted = await browser.ask(lines)
  seen.sortedBy = await browser.ask(`document.querySelector('[aria-sort]').innerText + ' '
    + document.querySelector('[aria-sort]').getAttribute('aria-sort')`)
  seen.medians = await browser.ask(`[...document.querySelectorAll('.comparison tr[data-name]')].map((row) =>
    [row.dataset.name, +row.dataset.medianNs])`)
  // What is folded up is there, too.
  seen.comparisons = await browser.ask(`(() => {
    document.querySelectorAll('.comparison details').forEach((details) => { details.open = true })
    return [...document.querySelectorAll('.comparison')].map((comparison) => comparison.innerText)
  })()`)
  seen.verdicts = await browser.ask(`[...document.querySelectorAll('.comparison tr[data-name]')].map((row) =>
    row.querySelector('.verdict').parentElement.innerText)`)
  seen.changes = await browser.ask(`[...document.querySelectorAll('.changes tbody tr')].map((row) =>
    [row.cells[0].innerText, ...[...row.querySelectorAll('[data-column]')].map((cell) =>
      [cell.dataset.beforeNs, cell.dataset.afterNs].map((time) => time === undefined ? null : +time))])`)
  seen.sides = await browser.ask(`[...document.querySelectorAll('.sides tbody tr')].map((row) =>
    [row.classList.contains('differs'), ...[...row.querySelectorAll('td')].map((cell) =>
      cell.dataset.ns === undefined ? null : +cell.dataset.ns)])`)
  seen.typical = await browser.ask(`[...document.querySelectorAll('.typical canvas')].map((canvas) => canvas.getAttribute('aria-label'))`)
  seen.plots = await browser.ask(`document.querySelectorAll('.track[aria-label]').length`)
  seen.bold = await browser.ask(`document.querySelectorAll('main b, main script, main img').length`)
  seen.runs = await browser.ask(`document.querySelectorAll('select option').length`)

  const colors = () => browser.ask(`(() => {
    const bars = document.querySelector('.rows canvas')
    const colors = new Set()
    const pixels = bars.getContext('2d').getImageData(0, 0, bars.width, bars.height).data
    for (let at = 0; at < pixels.length; at += 4) if (pixels[at + 3] === 255) colors.add(pixels[at] << 16 | pixels[at + 1] << 8 | pixels[at + 2])
    return { ground: getComputedStyle(document.body).backgroundColor, text: getComputedStyle(document.body).color, bars: [...colors].length > 2 ? [...colors] : [] }
  })()`)
  const isIn = (color, all) => all.includes(color)
  const light = await colors()
  await browser.colors('dark')
  await browser.frames()
  const dark = await colors()
  const critical = { light: 0xd95f02, dark: 0xff9a3d }
  seen.light = { ground: light.ground, text: light.text, showsCritical: isIn(critical.light, light.bars) }
  seen.dark = { ground: dark.ground, text: dark.text, showsCritical: isIn(critical.dark, dark.bars) }
  await browser.ask('scrollTo(0, 0)')
  await shot('dark.png', true)

  await browser.size(375, 812, true)
  const width = () => browser.ask(`Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)`)
  seen.phoneWidth = await width()
  await browser.ask('scrollTo(0, 0)')
  await shot('phone-dark.png', true)
  await browser.colors('light')
  await browser.ask('scrollTo(0, 0)')
  await shot('phone.png', true)

  // Two fingers, and one that taps.
  const chart = await place('.rows canvas')
  const middle = chart.left + chart.width * 0.65
  const touch = async (type, ...points) => {
    await browser.send('Input.dispatchTouchEvent', {
      type, touchPoints: points.map((x, id) => ({ x, y: chart.top + 14, id })),
    })
    await browser.frames()
  }
  await touch('touchStart', middle - 20, middle + 20)
  await touch('touchMove', middle - 40, middle + 40)
  await touch('touchMove', middle - 60, middle + 60)
  await touch('touchEnd')
  seen.pinched = await view()
  await browser.ask(`document.querySelector('.details').replaceChildren()`)
  await touch('touchStart', middle)
  await touch('touchEnd')
  seen.tapped = await text('.details')
  await browser.size(320, 640, true)
  seen.smallWidth = await width()
}

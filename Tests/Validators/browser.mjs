// Drives a headless Chromium over its debugging pipe, with nothing but Node: no package, no port, no network.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export class Browser {
  static async start(program) {
    const browser = new Browser()
    browser.folder = mkdtempSync(path.join(tmpdir(), 'browser-'))
    browser.process = spawn(program, [
      '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
      '--disable-extensions', '--disable-background-networking', '--disable-component-update', '--hide-scrollbars',
      '--force-color-profile=srgb', '--host-resolver-rules=MAP * ~NOTFOUND', '--remote-debugging-pipe',
      `--user-data-dir=${browser.folder}`, 'about:blank',
    ], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
    browser.waiting = new Map()
    browser.listeners = []
    browser.count = 0
    let rest = ''
    browser.process.stdio[4].on('data', (piece) => {
      const messages = (rest + piece).split('\0')
      rest = messages.pop()
      for (const message of messages) browser.take(JSON.parse(message))
    })
    browser.process.on('exit', () => {
      for (const { reject } of browser.waiting.values()) reject(new Error('the browser has ended'))
    })
    const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' })
    const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true })
    browser.sessionId = sessionId
    return browser
  }

  take(message) {
    if (message.id === undefined) {
      this.listeners = this.listeners.filter((listener) => !listener(message))
      return
    }
    const { resolve, reject } = this.waiting.get(message.id)
    this.waiting.delete(message.id)
    if (message.error) reject(new Error(JSON.stringify(message.error))); else resolve(message.result)
  }

  send(method, params = {}) {
    const id = ++this.count
    const message = { id, method, params, ...(this.sessionId && { sessionId: this.sessionId }) }
    this.process.stdio[3].write(JSON.stringify(message) + '\0')
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }))
  }

  /** Calls `body` with every event; true from it means that it wants no more. */
  listen(body) { this.listeners.push(body) }

  next(method) {
    return new Promise((resolve) => this.listen((event) => event.method === method && (resolve(event.params), true)))
  }

  async open(url) {
    const loaded = this.next('Page.loadEventFired')
    await this.send('Page.navigate', { url })
    await loaded
    await this.frames()
  }

  /** What an expression in the page comes to. */
  async ask(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression, awaitPromise: true, returnByValue: true,
    })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }

  /** Until what has been asked for is drawn. */
  frames() {
    return this.ask('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))')
  }

  async size(width, height, isPhone = false) {
    await this.send('Emulation.setDeviceMetricsOverride', {
      width, height, deviceScaleFactor: 2, mobile: isPhone,
    })
    await this.send('Emulation.setTouchEmulationEnabled', { enabled: isPhone, maxTouchPoints: 5 })
    await this.frames()
    await this.frames()
  }

  async colors(scheme) {
    await this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] })
    await this.frames()
  }

  async mouse(type, x, y, more = {}) {
    await this.send('Input.dispatchMouseEvent', { type, x, y, ...more })
    await this.frames()
  }

  async press(key) {
    const text = key.length === 1 ? key : undefined
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', key, text })
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key })
    await this.frames()
  }

  async screenshot(file, isWhole = false) {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: isWhole })
    writeFileSync(file, Buffer.from(data, 'base64'))
  }

  async end() {
    const ended = new Promise((resolve) => this.process.on('exit', resolve))
    delete this.sessionId
    this.send('Browser.close').catch(() => {})
    await ended
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

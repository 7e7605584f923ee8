/** Starts Debian's Chromium, or the executable named by `CHROMIUM`. */
import { existsSync } from "node:fs"
import { type Browser, chromium } from "playwright-core"

const paths = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

const launch = (): Promise<Browser> => {
  const executablePath = process.env["CHROMIUM"] ?? paths.find((path) => existsSync(path))
  if (executablePath === undefined) {
    throw new Error("There is no Chromium here: install Debian's chromium, or say in CHROMIUM where one is.")
  }
  return chromium.launch({ executablePath, args: ["--no-sandbox"] })
}

let currentBrowser: Browser | undefined

/**
 * Returns this process's browser, which the test files share because starting it takes a second. Chromium exits with
 * the process.
 */
export const getBrowser = async (): Promise<Browser> =>
  currentBrowser = currentBrowser?.isConnected() === true ? currentBrowser : await launch()

/** Closes all pages, so that the next test file starts without open pages. */
export const closeContexts = async (): Promise<void> => {
  await Promise.all(currentBrowser?.contexts().map((context) => context.close()) ?? [])
}

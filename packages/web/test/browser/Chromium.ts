/** Starts Debian's Chromium, or the one named by `CHROMIUM`, and serves an in-memory service to it. */
import * as Serve from "@trailbook/http/serve"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { existsSync } from "node:fs"
import { type Browser, chromium } from "playwright-core"
import { open, type Options, type World } from "../World.ts"

const paths = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

const launch = (): Promise<Browser> => {
  const executablePath = process.env["CHROMIUM"] ?? paths.find((path) => existsSync(path))
  if (executablePath === undefined) {
    throw new Error("There is no Chromium here: install Debian's chromium, or say in CHROMIUM where one is.")
  }
  return chromium.launch({ executablePath, args: ["--no-sandbox"] })
}

let running: Browser | undefined

/**
 * Returns the browser of this process, which the test files share because a start takes a second. Chromium ends with
 * the process.
 */
export const getBrowser = async (): Promise<Browser> =>
  running = running?.isConnected() === true ? running : await launch()

/** Closes all pages, so that the next test file has no open pages. */
export const closeContexts = async (): Promise<void> => {
  await Promise.all(running?.contexts().map((context) => context.close()) ?? [])
}

export interface Served extends World {
  readonly origin: string
  readonly close: () => Promise<void>
}

export const serve = async (options: Options = {}): Promise<Served> => {
  const world = await open(options)
  const scope = Effect.runSync(Scope.make())
  const { port } = await Effect.runPromise(
    Scope.extend(Serve.listen({ handler: world.handler, port: 0, grace: "1 second" }), scope)
  )
  return { ...world, origin: `http://127.0.0.1:${port}`, close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

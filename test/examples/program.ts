/** Starts the example programs as their READMEs describe. */
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import { assert, onTestFinished } from "vitest"

interface Settings {
  readonly args?: ReadonlyArray<string>
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Uses the built packages, because the pages' source is JSX, which Node cannot run. */
  readonly built?: true
}

/** Creates an empty folder and removes it after the test. */
export const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "trailbook-example-"))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

export const spawnProgram = (
  program: string,
  { args = [], built, cwd, env }: Settings = {}
): ChildProcessByStdio<null, Readable, null> =>
  spawn(
    process.execPath,
    [
      ...built === true ? [] : ["--conditions=@trailbook/source"],
      "--import",
      createRequire(import.meta.url).resolve("tsx"),
      program,
      ...args
    ],
    { cwd, env: { ...process.env, PORT: "0", ...env }, stdio: ["ignore", "pipe", "inherit"] }
  )

/**
 * Starts a program and returns a function that reads its output line by line. After the test, the program gets SIGTERM
 * and must exit with code 0. `ended` then checks the files that the program left behind.
 */
export const startProgram = (
  program: string,
  { ended = () => {}, ...settings }: Settings & { readonly ended?: () => void } = {}
): () => Promise<string> => {
  const child = spawnProgram(program, settings)
  onTestFinished(async () => {
    child.kill()
    const [code] = await once(child, "exit")
    assert.strictEqual(code, 0)
    ended()
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return async () => String((await lines.next()).value)
}

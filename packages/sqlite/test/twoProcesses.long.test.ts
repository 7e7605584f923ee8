import { assert, it } from "@effect/vitest"
import { OrgStore } from "@trailbook/core/org"
import { layer } from "@trailbook/sqlite"
import * as Effect from "effect/Effect"
import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { temporaryFile } from "./temporaryFile.ts"

const program = fileURLToPath(new URL("./openInProcess.ts", import.meta.url))

const stop = (child: ChildProcess) => Effect.sync(() => child.kill("SIGKILL"))

/** Starts a process that stores an org with this name in every file that it receives. */
const start = (name: string) =>
  Effect.gen(function*() {
    const options = ["--conditions=@trailbook/source", "--import", "tsx", program, name]
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => spawn(process.execPath, options, { stdio: ["pipe", "pipe", "inherit"] })),
      stop
    )
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    const nextLine = Effect.promise(async () => String((await lines.next()).value))
    assert.strictEqual(yield* nextLine, "ready")
    return (line: string) => Effect.zipRight(Effect.sync(() => child.stdin.write(`${line}\n`)), nextLine)
  })

it.scopedLive("three processes that open a new file concurrently can all use it", () =>
  Effect.gen(function*() {
    const names = ["a", "b", "c"]
    const processes = yield* Effect.forEach(names, start, { concurrency: "unbounded" })
    for (let round = 0; round < 20; round++) {
      const filename = yield* temporaryFile
      const soon = Date.now() + 20
      const open = processes.map((store) => store(`${soon} ${filename}`))
      assert.deepStrictEqual(yield* Effect.all(open, { concurrency: "unbounded" }), ["stored", "stored", "stored"])
      const orgs = yield* Effect.provide(Effect.flatMap(OrgStore, ({ all }) => all), layer({ filename }))
      assert.deepStrictEqual(orgs.map(({ id }) => id), names)
    }
  }))

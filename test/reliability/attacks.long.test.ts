import { assert, it } from "vitest"
import { attack, findExceeded } from "./attacks.ts"

it("no caller can deprive others of a server's time, memory, or connections", async () => {
  const outcomes = await attack(() => undefined)
  assert.deepStrictEqual(findExceeded(outcomes), [])
}, 600_000)

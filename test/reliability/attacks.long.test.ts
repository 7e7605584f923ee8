import { assert, it } from "vitest"
import { attack, broken } from "./attacks.ts"

it("no caller can deprive others of a server's time, memory, or connections", async () => {
  const outcomes = await attack(() => undefined)
  assert.deepStrictEqual(broken(outcomes), [])
}, 600_000)

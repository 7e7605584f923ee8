import { assert, it } from "vitest"
import { attack, broken } from "./attacks.ts"

it("no caller takes the time, memory, or connections of a server from the others", async () => {
  const outcomes = await attack(() => undefined)
  assert.deepStrictEqual(broken(outcomes), [])
}, 240_000)

import { expect, it } from "vitest"
import { Lazy } from "../../src/embed/Lazy.ts"

it("Lazy creates the value once for all callers, and retries after a failure", async () => {
  const answers = [Promise.reject(new Error("away")), Promise.resolve("there")]
  let callCount = 0
  const once = new Lazy(() => answers[callCount++] ?? Promise.resolve("made too often"))
  expect(once.made).toBeUndefined()
  const [one, other] = [once.get(), once.get()]
  await expect(one).rejects.toThrow("away")
  await expect(other).rejects.toThrow("away")
  expect(await Promise.all([once.get(), once.get()])).toEqual(["there", "there"])
  expect(await once.made).toBe("there")
  expect(callCount).toBe(2)
})

it("Lazy retains the new value when a discarded attempt fails", async () => {
  let fail: (error: Error) => void = () => {}
  const first = new Promise<string>((_, reject) => {
    fail = reject
  })
  const answers = [first, Promise.resolve("newer")]
  const once = new Lazy(() => answers.shift() ?? Promise.resolve("made too often"))
  const forgotten = once.get()
  once.forget()
  expect(await once.get()).toBe("newer")
  fail(new Error("too late"))
  await expect(forgotten).rejects.toThrow("too late")
  expect(await once.get()).toBe("newer")
})

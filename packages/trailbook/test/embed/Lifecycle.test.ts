import * as Effect from "effect/Effect"
import { afterEach, expect, it, vi } from "vitest"
import { Lifecycle } from "../../src/embed/Lifecycle.ts"
import { parseOptions } from "../../src/embed/option/parseOptions.ts"
import * as HostTransactionRuntime from "../../src/embed/transaction/HostTransactionRuntime.ts"

afterEach(() => vi.restoreAllMocks())

const transaction = { query: () => Promise.reject(new Error("no statement is sent")) }

it("the next call rebuilds the host transaction runtime after a failure", async () => {
  const lifecycle = new Lifecycle(parseOptions({ database: "postgres://127.0.0.1:1/nothing" }))
  const built = vi.spyOn(HostTransactionRuntime, "makeHostTransactionRuntime").mockRejectedValueOnce(
    new Error("too many open files")
  )
  const call = () => lifecycle.within(transaction).runCall(({ run }) => run(Effect.succeed("done")))
  await expect(call()).rejects.toThrow("too many open files")
  // The second build succeeds, so this call gets as far as the transaction.
  await expect(call()).rejects.toThrow("no statement is sent")
  await expect(call()).rejects.toThrow("no statement is sent")
  expect(built).toHaveBeenCalledTimes(2)
  await lifecycle.close()
})

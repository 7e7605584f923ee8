/** Negative controls. Each law must fail on a storage adapter that breaks it. A law that cannot fail proves nothing. */
import type { Storage } from "@trailbook/core/storage"
import * as Memory from "@trailbook/memory"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import { allLaws } from "../../../test/laws/engineLaws.ts"
import { sample } from "../../../test/runs.ts"
import { agentControls } from "./agentControls.ts"
import { applicationControls } from "./applicationControls.ts"
import { bookingControls } from "./bookingControls.ts"
import { boundControls } from "./boundControls.ts"
import { dueControls } from "./dueControls.ts"
import { fileControls } from "./fileControls.ts"
import { leakControls } from "./leakControls.ts"
import { ledgerControls } from "./ledgerControls.ts"
import { messageControls } from "./messageControls.ts"
import { methodControls } from "./methodControls.ts"
import { paymentControls } from "./paymentControls.ts"
import { reportControls } from "./reportControls.ts"
import { storeControls } from "./storeControls.ts"
import { subscriptionClaimControls, subscriptionControls } from "./subscriptionControls.ts"
import { unitControls } from "./unitControls.ts"
import { claimControls, webhookControls } from "./webhookControls.ts"

const controls = [
  ...storeControls,
  ...bookingControls,
  ...boundControls,
  ...fileControls,
  ...dueControls,
  ...agentControls,
  ...applicationControls,
  ...paymentControls,
  ...ledgerControls,
  ...reportControls,
  ...unitControls,
  ...messageControls,
  ...webhookControls,
  ...subscriptionControls
]
const ofEachMethod = [...methodControls, ...claimControls, ...subscriptionClaimControls]

const fails = async (key: string, storage: Layer.Layer<Storage>) => {
  const law = allLaws.find((law) => law.key === key)
  assert.isDefined(law)
  // With this seed, every law fails early. With other seeds, a single law can take as long as all the others combined.
  const check = law.check({ runs: 400, seed: 2, shrink: false, reference: Layer.fresh(Memory.layer) })
  const exit = await Effect.runPromiseExit(Effect.provide(check, Layer.fresh(storage)))
  assert.isTrue(Exit.isFailure(exit), "The law did not detect the broken storage.")
}

// These tests run concurrently, because some laws wait for deadlocked transactions.
describe.concurrent("negative controls", () => {
  it.each(sample(controls, 4))("%s fails if the storage %s", (key, _how, storage) => fails(key, storage))

  it.each(sample(leakControls, 4))(
    "%s fails if the storage %s of other orgs",
    (key, _what, storage) => fails(key, storage)
  )

  it.each(sample(ofEachMethod, 4))("%s fails if %s is broken", (key, _method, storage) => fails(key, storage))

  it("exist for every law", () => {
    const controlled = new Set([...controls, ...ofEachMethod].map(([key]) => key))
    assert.deepStrictEqual([...controlled].sort(), allLaws.map(({ key }) => key).sort())
  })
})

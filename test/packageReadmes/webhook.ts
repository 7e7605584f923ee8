import { HttpSender, KeyRing } from "@trailbook/webhook"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"

/** `KeyRing.generate()` creates a key: `k1:<base64>`. The first key encrypts, and all keys decrypt. */
export const webhooks = (keys: string) =>
  Layer.merge(
    KeyRing.layer(Either.getOrThrowWith(KeyRing.parse(keys), (wrong) => new TypeError(wrong))),
    HttpSender.layer({ userAgent: "Outfitter/1.0" })
  )

/**
 * Secrets without encryption. A sealed secret is plain text, prefixed with the name of the key and the place.
 *
 * Guarantees:
 * - A secret opens only in the place it was sealed for.
 * - A secret sealed with another key does not open and is not current.
 */
import { type SecretLocation, Secrets } from "@trailbook/core/port"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export const makeFakeSecretsLayer = (key = "k1"): Layer.Layer<Secrets> =>
  Layer.succeed(
    Secrets,
    Secrets.of({
      seal: (secret, place) => Effect.succeed(prefixOf(key, place) + secret),
      open: (ciphertext, place) =>
        ciphertext.startsWith(prefixOf(key, place))
          ? Effect.succeed(ciphertext.slice(prefixOf(key, place).length))
          : Effect.dieMessage("The secret was not encrypted by this fake."),
      isCurrent: (ciphertext) => ciphertext.startsWith(`${key}:`)
    })
  )

const prefixOf = (key: string, { id, orgId, table }: SecretLocation): string => `${key}:${table}:${orgId}:${id}:`

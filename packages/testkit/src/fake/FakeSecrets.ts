/**
 * Secrets that anybody could read: sealed they carry a key's name and their
 * place in front.
 *
 * It promises that
 * - what was sealed for a place opens there and nowhere else;
 * - what was sealed with the key of another strongbox does not open, and is not
 *   current.
 */
import { type SecretPlace, Secrets } from "@trailbook/core/port/Secrets"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export const fakeSecrets = (key = "k1"): Layer.Layer<Secrets> =>
  Layer.succeed(
    Secrets,
    Secrets.of({
      seal: (secret, place) => Effect.succeed(front(key, place) + secret),
      open: (sealed, place) =>
        sealed.startsWith(front(key, place))
          ? Effect.succeed(sealed.slice(front(key, place).length))
          : Effect.dieMessage("It was not sealed here."),
      isCurrent: (sealed) => sealed.startsWith(`${key}:`)
    })
  )

const front = (key: string, { id, orgId, table }: SecretPlace): string => `${key}:${table}:${orgId}:${id}:`

/** Storage adapters that each break one law about files in a plausible way. */
import { FileStore } from "@trailbook/core/file"
import type { Storage } from "@trailbook/core/storage"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { breakPort, swallowFailures } from "./brokenStorage.ts"
import * as ReadCommitted from "./readCommitted.ts"

export const fileControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  [
    "files/find",
    "truncates names at 255 characters",
    breakPort(FileStore, ({ add }) => ({ add: (file) => add({ ...file, name: file.name.slice(0, 255) }) }))
  ],
  [
    "files/find",
    "locks files in the given order",
    breakPort(FileStore, ({ lock }) => ({
      lock: (orgId, ids) => Effect.map(Effect.forEach(ids, (id) => lock(orgId, [id])), (rows) => rows.flat())
    }))
  ],
  [
    "files/once",
    "silently accepts a file that already exists",
    breakPort(FileStore, ({ add }) => ({ add: swallowFailures(add) }))
  ],
  [
    "files/of-messages",
    "does not store the file name given by the message",
    breakPort(FileStore, ({ find, use }) => ({
      use: (files) =>
        Effect.flatMap(
          Effect.forEach(files, find),
          (stored) =>
            use(files.map((file, at) => ({
              ...file,
              name: Option.getOrElse(stored[at] ?? Option.none(), () => file).name
            })))
        )
    }))
  ],
  [
    "files/of-messages",
    "does not store the positions of files",
    breakPort(FileStore, ({ use }) => ({ use: (files) => use(files.map((file) => ({ ...file, position: 0 }))) }))
  ],
  [
    "files/of-messages",
    "skips the first message when it removes files",
    breakPort(FileStore, ({ removeOfMessages }) => ({
      removeOfMessages: (orgId, ids) => removeOfMessages(orgId, ids.slice(1))
    }))
  ],
  [
    "files/unused",
    "keeps a file created exactly at the given time",
    breakPort(FileStore, ({ removeUnused }) => ({
      removeUnused: (moment, limit) => removeUnused((moment - 1) as typeof moment, limit)
    }))
  ],
  [
    "files/unused",
    "removes one file more than the limit",
    breakPort(FileStore, ({ removeUnused }) => ({ removeUnused: (moment, limit) => removeUnused(moment, limit + 1) }))
  ],
  [
    "files/discard",
    "discards a file that a message uses",
    breakPort(FileStore, ({ discard, find, use }) => ({
      discard: (key) =>
        Effect.flatMap(
          find(key),
          (stored) =>
            Effect.zipRight(use(Option.toArray(stored).map((file) => ({ ...file, messageId: null }))), discard(key))
        )
    }))
  ],
  ["races/one-message", "does not lock rows", ReadCommitted.layer("none")],
  ["races/used-or-gone", "does not lock rows", ReadCommitted.layer("none")]
]

/** For each law of files, a storage that breaks it in a plausible way. */
import { FileStore } from "@trailbook/core/file/FileStore"
import type { Storage } from "@trailbook/core/storage/Storage"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { broken, swallowed } from "./broken.ts"
import * as ReadCommitted from "./readCommitted.ts"

export const fileControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  [
    "files/find",
    "names are cut at 255 characters",
    broken(FileStore, ({ add }) => ({ add: (file) => add({ ...file, name: file.name.slice(0, 255) }) }))
  ],
  [
    "files/find",
    "locked in the order in which they are named",
    broken(FileStore, ({ lock }) => ({
      lock: (orgId, ids) => Effect.map(Effect.forEach(ids, (id) => lock(orgId, [id])), (found) => found.flat())
    }))
  ],
  ["files/once", "what is there is added again in silence", broken(FileStore, ({ add }) => ({ add: swallowed(add) }))],
  [
    "files/of-messages",
    "a name given by the message is not stored",
    broken(FileStore, ({ find, use }) => ({
      use: (files) =>
        Effect.flatMap(
          Effect.forEach(files, find),
          (known) =>
            use(files.map((file, at) => ({
              ...file,
              name: Option.getOrElse(known[at] ?? Option.none(), () => file).name
            })))
        )
    }))
  ],
  [
    "files/of-messages",
    "places are not kept",
    broken(FileStore, ({ use }) => ({ use: (files) => use(files.map((file) => ({ ...file, position: 0 }))) }))
  ],
  [
    "files/of-messages",
    "only the files of the first message are taken away",
    broken(FileStore, ({ removeOfMessages }) => ({
      removeOfMessages: (orgId, ids) => removeOfMessages(orgId, ids.slice(1))
    }))
  ],
  [
    "files/unused",
    "the moment itself is left out",
    broken(FileStore, ({ removeUnused }) => ({
      removeUnused: (moment, limit) => removeUnused((moment - 1) as typeof moment, limit)
    }))
  ],
  [
    "files/unused",
    "one more than asked for",
    broken(FileStore, ({ removeUnused }) => ({ removeUnused: (moment, limit) => removeUnused(moment, limit + 1) }))
  ],
  [
    "files/discard",
    "one that is used is taken back, too",
    broken(FileStore, ({ discard, find, use }) => ({
      discard: (key) =>
        Effect.flatMap(
          find(key),
          (found) =>
            Effect.zipRight(use(Option.toArray(found).map((file) => ({ ...file, messageId: null }))), discard(key))
        )
    }))
  ],
  ["races/one-message", "rows are not locked", ReadCommitted.layer("none")],
  ["races/used-or-gone", "rows are not locked", ReadCommitted.layer("none")]
]

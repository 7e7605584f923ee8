/**
 * Files that a guest opens by a link, because their mail would have been too large with
 * them. The link is for this file alone: it has a key that is made of a secret of its
 * message, so nothing is stored for it, and it ends with the file, when the guest is
 * erased.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Attachments, type OpenedFile } from "../file/Attachments.ts"
import type { StoredFile } from "../file/StoredFile.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import { Ids } from "../port/Ids.ts"
import { TenantScope } from "../port/TenantScope.ts"
import { notFound, type Refusal } from "../Refusal.ts"
import type { Message } from "./Message.ts"
import { MessageStore } from "./MessageStore.ts"

/**
 * @category models
 */
export interface LinkedFile extends OrgKey {
  /** As {@link fileKey} makes it. */
  readonly key: string
}

/**
 * @category services
 */
export class FileLinks extends Context.Tag("@trailbook/core/FileLinks")<
  FileLinks,
  {
    /** What is known of a file that a message took to a guest. A wrong key finds none, as a wrong id does. */
    readonly find: (file: LinkedFile) => Effect.Effect<StoredFile, Refusal<"not_found">>
    readonly open: (file: LinkedFile) => Effect.Effect<OpenedFile, Refusal<"not_found" | "unavailable">>
  }
>() {
  static readonly layer = Layer.effect(
    FileLinks,
    Effect.gen(function*() {
      const attachments = yield* Attachments
      const ids = yield* Ids
      const messages = yield* MessageStore

      const find = ({ id, key, orgId }: LinkedFile) =>
        Effect.gen(function*() {
          const file = yield* attachments.find({ orgId, id })
          const [message] = file.messageId === null ? [] : yield* messages.find([{ orgId, id: file.messageId }])
          return message !== undefined && fileKey(ids, message, id) === key ? file : yield* notFound("attachment", id)
        })

      const ofOrg = <A, E>({ orgId }: LinkedFile, work: Effect.Effect<A, E>) =>
        Effect.provideService(work, TenantScope, [orgId])

      return FileLinks.of({
        find: (file) => ofOrg(file, find(file)),
        open: (file) => ofOrg(file, Effect.flatMap(find(file), attachments.open))
      })
    })
  )
}

/**
 * What opens a file of a message to a guest; `undefined` for a message that is not
 * mailed to one.
 *
 * @category constructors
 */
export const fileKey = (
  { digest }: Pick<Ids["Type"], "digest">,
  { bounceToken, kind }: Pick<Message, "bounceToken" | "kind">,
  fileId: string
): string | undefined =>
  bounceToken === null || kind !== "message" ? undefined : digest(`file ${bounceToken} ${fileId}`).slice(0, 40)

/**
 * Where it is opened, below the address that the service has for guests.
 *
 * @category constructors
 */
export const filePath = ({ id, key, orgId }: LinkedFile): string => `/files/${orgId}/${id}/${key}`

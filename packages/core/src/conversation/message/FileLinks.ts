/**
 * Links to files that are too large for the email to the guest. A link opens one file. Its key is derived from one of
 * the message's secrets, so the key is not stored. The link stops working when the guest is erased, because the file is
 * deleted.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Attachments, type OpenedFile } from "../../file/Attachments.ts"
import type { StoredFile } from "../../file/StoredFile.ts"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import { Ids } from "../../port/Ids.ts"
import { notFound, type Refusal } from "../../Refusal.ts"
import { provideTenantScope } from "../findConversation.ts"
import type { Message } from "./Message.ts"
import { MessageStore } from "./MessageStore.ts"

export interface FileLink extends OrgKey {
  /** The file's key, as {@link deriveFileKey} returns it. */
  readonly key: string
}

export class FileLinks extends Context.Tag("@trailbook/core/FileLinks")<
  FileLinks,
  {
    /** Finds a file in a message to a guest. A wrong key returns the same error as a wrong ID. */
    readonly find: (file: FileLink) => Effect.Effect<StoredFile, Refusal<"not_found">>
    readonly open: (file: FileLink) => Effect.Effect<OpenedFile, Refusal<"not_found" | "unavailable">>
  }
>() {
  static readonly layer = Layer.effect(FileLinks, Effect.suspend(() => makeFileLinks))
}

const makeFileLinks = Effect.gen(function*() {
  const attachments = yield* Attachments
  const ids = yield* Ids
  const messages = yield* MessageStore

  const find = ({ id, key, orgId }: FileLink) =>
    Effect.gen(function*() {
      const file = yield* attachments.find({ orgId, id })
      const [message] = file.messageId === null ? [] : yield* messages.find([{ orgId, id: file.messageId }])
      return message !== undefined && deriveFileKey(ids, message, id) === key
        ? file
        : yield* notFound("attachment", id)
    })

  return FileLinks.of({
    find: (file) => provideTenantScope(file.orgId)(find(file)),
    open: (file) => provideTenantScope(file.orgId)(Effect.flatMap(find(file), attachments.open))
  })
})

/**
 * Derives the key for a file in a message to a guest. Returns undefined for messages that are not emailed to a guest.
 */
export const deriveFileKey = (
  { digest }: Pick<Ids["Type"], "digest">,
  { bounceToken, kind }: Pick<Message, "bounceToken" | "kind">,
  fileId: string
): string | undefined =>
  bounceToken === null || kind !== "message" ? undefined : digest(`file ${bounceToken} ${fileId}`).slice(0, 40)

/** Returns the path of a file link, relative to the public URL. */
export const getFileLinkPath = ({ id, key, orgId }: FileLink): string => `/files/${orgId}/${id}/${key}`

import * as Schema from "effect/Schema"
import { withDescription } from "../wire/Field.ts"
import { Id, ids, Integer } from "../wire/View.ts"
import type { StoredFile } from "./StoredFile.ts"

/** The API representation of a file of a message. */
export const AttachmentView = Schema.Struct({
  id: withDescription("its id; it opens at `/api/attachments/{id}`", Id, ids.attachment),
  name: withDescription("as its sender calls it", Schema.String, "put-in.jpg"),
  size: withDescription("in bytes", Integer, 182044),
  type: withDescription("what its bytes are", Schema.String, "image/jpeg")
}).annotations({ identifier: "Attachment" })

export type AttachmentView = typeof AttachmentView.Type

export const attachmentView = ({ id, name, size, type }: StoredFile): AttachmentView => ({ id, name, size, type })

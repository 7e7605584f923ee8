import * as Schema from "effect/Schema"
import { withDescription } from "../wire/Field.ts"
import { Id, ids, Integer } from "../wire/View.ts"
import type { StoredFile } from "./StoredFile.ts"

/** The API representation of a file in a message. */
export const AttachmentView = Schema.Struct({
  id: withDescription(
    "the attachment ID. Download the file from `/api/attachments/{id}`",
    Id,
    ids.attachment
  ),
  name: withDescription("the file name given by the sender", Schema.String, "put-in.jpg"),
  size: withDescription("in bytes", Integer, 182044),
  type: withDescription("the media type, detected from the content", Schema.String, "image/jpeg")
}).annotations({ identifier: "Attachment" })

export type AttachmentView = typeof AttachmentView.Type

export const attachmentView = ({ id, name, size, type }: StoredFile): AttachmentView => ({ id, name, size, type })

import * as Schema from "effect/Schema"
import { means } from "../wire/Field.ts"
import { Id, ids, Integer } from "../wire/View.ts"
import type { StoredFile } from "./StoredFile.ts"

/**
 * A file of a message on the wire.
 *
 * @category schemas
 */
export const AttachmentView = Schema.Struct({
  id: means("its id; it opens at `/api/attachments/{id}`", Id, ids.attachment),
  name: means("as its sender calls it", Schema.String, "put-in.jpg"),
  size: means("in bytes", Integer, 182044),
  type: means("what its bytes are", Schema.String, "image/jpeg")
}).annotations({ identifier: "Attachment" })

/**
 * @category models
 */
export type AttachmentView = typeof AttachmentView.Type

/**
 * @category converting
 */
export const attachmentView = ({ id, name, size, type }: StoredFile): AttachmentView => ({ id, name, size, type })

import * as Schema from "effect/Schema"
import { withDescription } from "../wire/Field.ts"
import { Id, ids, Integer } from "../wire/View.ts"
import type { StoredFile } from "./StoredFile.ts"

/**
 * A file of a message on the wire.
 *
 * @category schemas
 */
export const AttachmentView = Schema.Struct({
  id: withDescription("its id; it opens at `/api/attachments/{id}`", Id, ids.attachment),
  name: withDescription("as its sender calls it", Schema.String, "put-in.jpg"),
  size: withDescription("in bytes", Integer, 182044),
  type: withDescription("what its bytes are", Schema.String, "image/jpeg")
}).annotations({ identifier: "Attachment" })

/**
 * @category models
 */
export type AttachmentView = typeof AttachmentView.Type

/**
 * @category converting
 */
export const attachmentView = ({ id, name, size, type }: StoredFile): AttachmentView => ({ id, name, size, type })

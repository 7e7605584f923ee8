import * as Schema from "effect/Schema"
import { means } from "../wire/Field.ts"
import { Id, Integer, personal } from "../wire/View.ts"
import { type FileType, fileTypes } from "./FileType.ts"
import type { StoredFile } from "./StoredFile.ts"

/**
 * A file of a message on the wire. It opens at `/api/attachments/{id}`.
 *
 * @category schemas
 */
export const AttachmentView = Schema.Struct({
  id: means("opens it at /api/attachments/{id}", Id),
  name: personal(means("what its sender calls it", Schema.String, "IMG_2041.jpg")),
  size: means("bytes", Integer, 1_482_310),
  type: means("what its bytes are", Schema.Literal(...(Object.keys(fileTypes) as ReadonlyArray<FileType>)))
}).annotations({ identifier: "Attachment" })

/**
 * @category models
 */
export type AttachmentView = typeof AttachmentView.Type

/**
 * @category converting
 */
export const attachmentView = ({ id, name, size, type }: StoredFile): AttachmentView => ({ id, name, size, type })

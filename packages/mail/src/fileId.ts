import { createHash } from "node:crypto"

/**
 * An id that is fit for a file's name and a `Message-ID`. Tasks have UUIDs,
 * which stay as they are; any other id becomes its digest. So no id leads out of
 * a folder, and none is the end of another one.
 */
export const fileId = (id: string): string =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : createHash("sha256").update(id).digest("hex")

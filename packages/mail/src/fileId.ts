import { createHash } from "node:crypto"

/**
 * Returns an ID that is safe to use in a file name and in a `Message-ID`. UUIDs are unchanged, and any other ID is
 * replaced by its digest. An ID therefore cannot escape a folder, and it is never a suffix of another ID.
 */
export const fileId = (id: string): string =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : createHash("sha256").update(id).digest("hex")

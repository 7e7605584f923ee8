import { createHash } from "node:crypto"

/**
 * Returns an ID that is safe in a file name and in a `Message-ID`. UUIDs are unchanged, and the digest replaces any
 * other ID. An ID can therefore not leave a folder, and is never a suffix of another ID.
 */
export const fileId = (id: string): string =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : createHash("sha256").update(id).digest("hex")

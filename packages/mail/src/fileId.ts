import { createHash } from "node:crypto"

/**
 * Returns an ID that is valid in a file name and in a `Message-ID`. UUIDs of tasks are unchanged; any other ID is
 * replaced by its digest. So no ID can escape a folder, and no ID is a suffix of another.
 */
export const fileId = (id: string): string =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : createHash("sha256").update(id).digest("hex")

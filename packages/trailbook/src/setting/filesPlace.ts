import { kind, secret, type SettingType } from "./SettingType.ts"

/**
 * Where the files of messages are: in a folder, or in a bucket of an object storage.
 *
 * @category models
 */
export type FilesPlace =
  | { readonly _tag: "Folder"; readonly directory: string }
  | { readonly _tag: "Bucket"; readonly url: string }

/**
 * @category kinds
 */
export const filesPlace: SettingType<FilesPlace> = kind(
  "<folder|url>",
  "the path of a folder, or the address of a bucket such as https://s3.eu-central-1.amazonaws.com/trailbook-files",
  (text) => {
    if (!/^https?:/i.test(text)) {
      return text === "" || text.includes("\0") || text.includes("://")
        ? undefined
        : { _tag: "Folder", directory: text }
    }
    const url = URL.canParse(text) ? new URL(text) : undefined
    const isPlain = url !== undefined && url.username === "" && url.search === "" && url.hash === ""
    // The bucket is in the path, or the first part of the name.
    const hasBucket = url !== undefined &&
      (url.pathname.length > 1 || /^[a-z0-9-]+\.[^.]+\..*[a-z]$/i.test(url.hostname))
    return isPlain && hasBucket ? { _tag: "Bucket", url: url.href.replace(/(?<!\/)\/+$/, "") } : undefined
  }
)

/**
 * The id of a key and its secret.
 *
 * @category models
 */
export interface BucketKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/**
 * @category kinds
 */
export const bucketKey: SettingType<BucketKey> = secret(
  kind("<id:secret>", "the id of a key and its secret, with a colon between", (text) => {
    const [, accessKeyId, secretAccessKey] = /^([^\s:]{1,200}):(\S{1,500})$/.exec(text) ?? []
    return accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey }
  })
)

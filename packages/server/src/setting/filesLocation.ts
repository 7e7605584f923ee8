import { makeSettingType, secret, type SettingType } from "@trailbook/runtime/setting/SettingType"

/** The storage for message attachments: a folder or an S3 bucket. */
export type FilesLocation =
  | { readonly _tag: "Folder"; readonly directory: string }
  | { readonly _tag: "Bucket"; readonly url: string }

export const filesLocation: SettingType<FilesLocation> = makeSettingType(
  "<folder|url>",
  "a folder path, or a bucket URL such as https://s3.eu-central-1.amazonaws.com/trailbook-files",
  (text) => {
    if (!/^https?:/i.test(text)) {
      return text === "" || text.includes("\0") || text.includes("://")
        ? undefined
        : { _tag: "Folder", directory: text }
    }
    const url = URL.canParse(text) ? new URL(text) : undefined
    const isPlain = url !== undefined && url.username === "" && url.search === "" && url.hash === ""
    // The bucket name is in the path or is the first label of the host name.
    const hasBucket = url !== undefined &&
      (url.pathname.length > 1 || /^[a-z0-9-]+\.[^.]+\..*[a-z]$/i.test(url.hostname))
    return isPlain && hasBucket ? { _tag: "Bucket", url: url.href.replace(/(?<!\/)\/+$/, "") } : undefined
  }
)

export interface BucketKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export const bucketKey: SettingType<BucketKey> = secret(
  makeSettingType("<id:secret>", "an access key ID and its secret, separated by a colon", (text) => {
    const [, accessKeyId, secretAccessKey] = /^([^\s:]{1,200}):(\S{1,500})$/.exec(text) ?? []
    return accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey }
  })
)

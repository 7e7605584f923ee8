import { FilesBucket, FilesFolder } from "@trailbook/files"
import * as Config from "effect/Config"

/** `Files` in a folder. The server and its worker must share it. */
export const inFolder = FilesFolder.layerConfig({ directory: Config.string("FILES") })

/** `Files` in an S3 bucket. */
export const inBucket = FilesBucket.layerConfig({
  url: Config.string("BUCKET"),
  region: Config.string("BUCKET_REGION"),
  accessKeyId: Config.string("BUCKET_KEY_ID"),
  secretAccessKey: Config.redacted("BUCKET_SECRET")
})

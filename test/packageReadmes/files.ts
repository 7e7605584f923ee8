import { FilesBucket, FilesFolder } from "@trailbook/files"
import * as Config from "effect/Config"

/** The `Files` of a server and of its worker: in a folder that both reach. */
export const inFolder = FilesFolder.layerConfig({ directory: Config.string("FILES") })

/** The same in a bucket. */
export const inBucket = FilesBucket.layerConfig({
  url: Config.string("BUCKET"),
  region: Config.string("BUCKET_REGION"),
  accessKeyId: Config.string("BUCKET_KEY_ID"),
  secretAccessKey: Config.redacted("BUCKET_SECRET")
})

/**
 * Stores files uploaded with a form. They are stored before the form is processed, and their IDs and names become form
 * fields, so the form keeps its files if it is shown again. Files that no message uses are deleted after 24 hours.
 */
import { hostConflict, invalid, notFound, type Refusal } from "@trailbook/core"
import { Attachments, fileTooLargeRefusal, maxFileBytes, maxFilesPerMessage } from "@trailbook/core/file"
import * as FairQueue from "@trailbook/http/limit/FairQueue"
import type { Form } from "@trailbook/http/request/formBody"
import { type FormWithFiles, makeMultipartFormBody } from "@trailbook/http/request/multipartFormBody"
import type { UploadedFile } from "@trailbook/http/request/uploadBody"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { isUuid } from "../operationCaller.ts"

export interface AttachedFile {
  readonly id: string
  readonly name: string
}

export const filesFormBody = makeMultipartFormBody({
  field: "files",
  maxBytes: maxFilesPerMessage * maxFileBytes,
  tooLarge: fileTooLargeRefusal
})

const places = Array.from({ length: maxFilesPerMessage }, (_, at) => `kept${at}`)

/** Returns the files stored for a form, in order. */
export const listUploads = (form: Form): ReadonlyArray<AttachedFile> =>
  places.flatMap((place) => {
    const [, id, name] = /^([0-9a-f-]{36}) (.*)$/su.exec(form[place] ?? "") ?? []
    return id === undefined || name === undefined ? [] : [{ id, name }]
  })

/** Returns a form field for a stored file. */
export const toFormField = ({ id, name }: AttachedFile, at: number): readonly [name: string, value: string] => [
  places[at] ?? "",
  `${id} ${name}`
]

/** Stores files from forms and opens files in messages. */
export const makeFormUploads = Effect.map(Effect.serviceOption(Attachments), (service) => {
  const attachments = Option.getOrUndefined(service)
  const turns = FairQueue.make({ each: 2, all: 4 })

  const keepOne = (orgId: string, file: UploadedFile): Effect.Effect<AttachedFile, Refusal> =>
    attachments === undefined
      ? Effect.fail(storageMissing)
      : turns(orgId, attachments.keep({ orgId, ...file })).pipe(
        Effect.mapError((refusal) => refusal.code === "unavailable" ? storageFailure : refusal)
      )

  return {
    keep: (orgId: string, { fields, files }: FormWithFiles) =>
      Effect.gen(function*() {
        const uploads = [...listUploads(fields)]
        let wrong: Refusal | undefined = uploads.length + files.length > maxFilesPerMessage ? tooManyFiles : undefined
        for (const file of wrong === undefined ? files : []) {
          const upload = yield* Effect.either(keepOne(orgId, file))
          if (upload._tag === "Right") uploads.push(upload.right)
          else wrong ??= upload.left
        }
        const otherEntries = Object.entries(fields).filter(([name]) => !places.includes(name))
        const form: Form = Object.fromEntries([...otherEntries, ...uploads.map(toFormField)])
        return wrong === undefined ? [form] as const : [form, wrong] as const
      }),
    open: (orgId: string, id: string) =>
      attachments === undefined || !isUuid(id)
        ? notFound("file", "here")
        : Effect.uninterruptible(attachments.open({ orgId, id }))
  }
})

const tooManyFiles = invalid(`files: choose at most ${maxFilesPerMessage}`)
const storageMissing = hostConflict("files_unavailable", "Files cannot be sent because file storage is not configured.")
const storageFailure = hostConflict(
  "files_unavailable",
  "The files could not be saved. Try again, or send the message without them."
)

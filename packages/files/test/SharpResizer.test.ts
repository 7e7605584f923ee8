/** Tests with the real `sharp`. */
import { assert, describe, it } from "@effect/vitest"
import { PhotoResizer } from "@trailbook/core/file"
import * as SharpResizer from "@trailbook/files/SharpResizer"
import * as Effect from "effect/Effect"
import sharp from "sharp"

const resize = (bytes: Uint8Array) =>
  Effect.runPromise(
    Effect.either(Effect.flatMap(PhotoResizer, (resizer) => resizer.resize(bytes))).pipe(
      Effect.provide(SharpResizer.layer)
    )
  )

const resizePhoto = async (bytes: Uint8Array) => {
  const result = await resize(bytes)
  if (result._tag === "Left") throw result.left
  return result.right
}

const drawPhoto = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#c8744a" } })

describe("a photo", () => {
  it.each(
    [
      ["jpeg", 3000, 2000, [1600, 1067], [800, 533]],
      ["png", 1000, 3000, [1000, 3000], [533, 1600]],
      ["webp", 640, 480, [640, 480], [640, 480]],
      ["jpeg", 1, 1, [1, 1], [1, 1]]
    ] as const
  )(
    "is stored as WebP without being enlarged: %s, %i × %i",
    async (format, w, h, large, small) => {
      const { files, height, width } = await resizePhoto(await drawPhoto(w, h)[format]().toBuffer())
      assert.deepStrictEqual([width, height], [...large])
      for (const [bytes, [ownWidth, ownHeight]] of [[files[1600], large], [files[800], small]] as const) {
        const metadata = await sharp(bytes).metadata()
        assert.deepStrictEqual([metadata.format, metadata.width, metadata.height], ["webp", ownWidth, ownHeight])
      }
    }
  )

  it("is stored upright and without its metadata", async () => {
    const photo = await drawPhoto(200, 100).jpeg().withMetadata({ orientation: 6 })
      .withExif({ IFD0: { Copyright: "Ada", ImageDescription: "38.53N 105W" } }).toBuffer()
    const { files, height, width } = await resizePhoto(photo)
    assert.deepStrictEqual([width, height], [100, 200])
    for (const bytes of Object.values(files)) {
      const { exif, icc, iptc, orientation, xmp } = await sharp(bytes).metadata()
      assert.deepStrictEqual([exif, icc, iptc, orientation, xmp], [
        undefined,
        undefined,
        undefined,
        undefined,
        undefined
      ])
      assert.isFalse(Buffer.from(bytes).includes("Ada"))
    }
  })

  it("is refused before decoding if it has too many pixels", async () => {
    const bomb = await drawPhoto(8000, 8000).png({ compressionLevel: 9 }).toBuffer()
    assert.isBelow(bomb.length, 500_000)
    const { user } = process.cpuUsage()
    const result = await resize(bomb)
    assert.isBelow(process.cpuUsage().user - user, 1_000_000)
    assert.propertyVal(
      result._tag === "Left" ? result.left : undefined,
      "message",
      "file: must have at most 50 megapixels"
    )
  })

  it("is refused if it is truncated or not a picture", async () => {
    const whole = await drawPhoto(3000, 2000).jpeg().toBuffer()
    for (
      const bytes of [
        whole.subarray(0, whole.length / 2),
        new Uint8Array([0xff, 0xd8, 0xff, 0xe0]),
        whole.subarray(0, 0)
      ]
    ) {
      const result = await resize(bytes)
      assert.propertyVal(result._tag === "Left" ? result.left : undefined, "code", "invalid_request")
    }
  })

  it("is resized without blocking the event loop", async () => {
    const large = await drawPhoto(6000, 4000).jpeg().toBuffer()
    let turns = 0
    let isDone = false
    const turn = (): void => {
      turns++
      if (!isDone) setImmediate(turn)
    }
    turn()
    await resizePhoto(large)
    isDone = true
    assert.isAbove(turns, 100)
  })
})

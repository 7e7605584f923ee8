import * as Context from "effect/Context"

/**
 * Draws a booking's QR code for its confirmation email. Without this service, the email has no code, but the guest page
 * always shows it.
 */
export class CheckInCode extends Context.Tag("@trailbook/core/CheckInCode")<
  CheckInCode,
  {
    /** Returns a PNG image of the code. The same URL always produces the same image. */
    readonly png: (url: string) => Uint8Array
  }
>() {}

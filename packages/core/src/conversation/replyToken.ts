import type { Ids } from "../port/Ids.ts"

/**
 * The secret part of an address that mail comes to: 26 letters and digits of 130 bits.
 * There is no upper case in it, for mail servers do not keep that.
 *
 * @category constructors
 */
export const makeReplyToken = ({ digest, handle }: Pick<Ids["Type"], "digest" | "handle">): string =>
  BigInt.asUintN(130, BigInt(`0x${digest(handle())}`)).toString(32).padStart(26, "0")

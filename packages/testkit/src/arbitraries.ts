/**
 * fast-check arbitraries of everything that a booking engine is about, wide
 * enough to hurt: odd zones and hours, ties and touching ends, the milliseconds
 * beside a bound, text that has broken something before. Each keeps the bounds
 * of the API, so a value that is refused or stored otherwise is a finding.
 *
 * They are values of fast-check 3, the one that `effect/FastCheck` carries.
 *
 * @example
 * import { offeringInput } from "@trailbook/testkit/arbitraries"
 * import * as FastCheck from "effect/FastCheck"
 *
 * FastCheck.assert(
 *   FastCheck.property(offeringInput, (input) => labelOf(input).length <= 80)
 * )
 */
export { booking } from "./generator/booking.ts"
export { customer, email } from "./generator/customer.ts"
export { hours } from "./generator/hours.ts"
export { metadata } from "./generator/metadata.ts"
export { moment, span } from "./generator/moment.ts"
export { offering } from "./generator/offering.ts"
export { offeringInput } from "./generator/offeringInput.ts"
export { order } from "./generator/order.ts"
export { org } from "./generator/org.ts"
export { type OrgData, orgData } from "./generator/orgData.ts"
export { type Script, script, type Step } from "./generator/script.ts"
export { session } from "./generator/session.ts"
export { text } from "./generator/text.ts"
export { zone } from "./generator/zone.ts"

/**
 * fast-check arbitraries for a booking engine's domain. They are weighted toward edge cases: unusual time zones and
 * hours, ties and touching intervals, values 1 ms from a bound, and text that commonly breaks software. Each value
 * stays within the API's limits, so a value that is rejected or stored differently reveals a defect.
 *
 * The arbitraries are built with fast-check 3, the version that `effect/FastCheck` contains.
 *
 * @example
 * import { offeringInput } from "@trailbook/testkit/arbitraries"
 * import * as FastCheck from "effect/FastCheck"
 *
 * FastCheck.assert(
 *   FastCheck.property(offeringInput, (input) => labelOf(input).length <= 80)
 * )
 */
export { booking, createBookingInput } from "./generator/booking.ts"
export { customer, email } from "./generator/customer.ts"
export { moment, span } from "./generator/moment.ts"
export { hours, offering, offeringInput, session } from "./generator/offering.ts"
export { org, zone } from "./generator/org.ts"
export { type OrgData, orgData } from "./generator/orgData.ts"
export { adjustments, discount, orgFees, pricing } from "./generator/pricing.ts"
export { type Script, script, type Step } from "./generator/script.ts"
export { metadata, text } from "./generator/text.ts"

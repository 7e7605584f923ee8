/** Email: the port for sending it, addresses, and the parts that several emails share. */
export * from "./localTimeFormat.ts"
export * from "./Mailer.ts"
export * as SignInMail from "./renderSignInMail.ts"
export * from "./toSingleLine.ts"

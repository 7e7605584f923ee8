/**
 * Booking engine for outdoor outfitters: library, server and command line.
 *
 * @since 0.1.0
 */
export {}

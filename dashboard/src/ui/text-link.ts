/** A link in running text. */
export const textLink = 'rounded-control font-medium text-accent-text underline decoration-1 underline-offset-3'

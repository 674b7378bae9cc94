/**
 * What the engine said anew, or the former answer where it says the same, so that nothing that is
 * shown of it is drawn again. Both are plain JSON with their members in one order.
 */
export function sameOr<Answer>(former: Answer | undefined, anew: Answer): Answer {
  return former !== undefined && JSON.stringify(former) === JSON.stringify(anew) ? former : anew;
}

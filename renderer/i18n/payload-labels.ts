/**
 * Labels of the claim payload: fields by the specification's word, values by the list that they
 * come from. The four language files hold the same keys (a test compares them with the payload's
 * description).
 */
export interface PayloadLabels {
  readonly sections: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
}

// The stable codes of warnings and faults. Programs rely on them; the texts of messages may change. docs/warnings.md lists them.

/** Codes of warnings, which `strict` and `allow` select, each with what it means. */
export const WARNING_CODES = {
  unknown_field: 'a field is unknown, or belongs to another type of layer, and is ignored',
  no_effect: 'a field or option is set, and other fields or options leave it without effect',
  invisible: 'a layer draws nothing',
  off_canvas: 'a layer lies wholly off the canvas',
  repeated_id: 'two layers have the same `id`',
  dangling_link: 'a link names the `id` of no layer that is drawn, and leads nowhere',
  literal_placeholder: '`{{name}}` is drawn as it is, because the template lacks `"placeholders": true`',
  unknown_placeholder: 'a placeholder names a variable that no hotspot has, and one has a similar name',
  unused_variable: 'a variable, or a column of rows, fills nothing',
  unusable_value: 'the value of a variable does not suit its placeholder, or is no value at all',
  list_cut: 'a list has more entries than `max` of `each` or `maxRows` of a table, and the others are left out',
  labels_omitted: 'texts of a chart are left out or shortened, because there is no room for them',
  values_ignored:
    'values of a chart’s data are no numbers and count as missing, or an annotation is outside of the chart',
  unknown_locale: '`locale` is unknown, and its nearest parent stands in for it',
  unknown_font: 'no family that `fontFamily` names is known; Inter is used',
  missing_glyphs: 'no font has a character, which is drawn as a box',
  split_emoji: 'an emoji sequence has no glyph, and its parts are drawn one after the other',
  unsupported_font_setting: 'the font lacks an axis or an OpenType feature',
  text_overflow: 'a text overflows its box or path',
  text_truncated: 'a text was cut after `maxLines`',
  simplified_decoration: 'a text has too many waves, dots or dashes under it; further lines are solid',
  layout_overflow: 'the layers of a group with a layout reach beyond its box',
  page_overflow: 'a layer in a group with `paginate` is taller than a page, and is cut off',
  canvas_too_small: 'a layer, or the padding, does not fit into the most that an automatic size may be',
  outlined_text: 'a text that should be live is outlines, because its font can’t be embedded',
  color_profile_ignored: 'the colour profile of an image can’t be used; the image is drawn as if it had none',
  image_replaced: '`fallbackColor` stands in for an image that could not be loaded',
  crop_outside: '`crop` reaches beyond the image',
  code_small_modules: 'the modules of a QR code or barcode are too small for scanners',
  code_low_contrast: 'the colours of a code differ too little, or its foreground is the lighter one',
  code_quiet_zone: 'the quiet zone of a code is too narrow',
  code_logo: 'the logo hides too much of a QR code',
  code_text: 'the text of a barcode does not fit and is drawn smaller, or is too small to read',
  code_unreadable: 'a code could not be read back from the finished image; an error with `verify: "error"`',
  format_mismatch: 'the extension of the output file is not that of its format',
  unsupported_markup: 'a property, a value or an element of JSX has no counterpart, and is ignored',
  too_many_warnings: 'there are more than 100 warnings, and the rest is left out',
} as const;

/** Codes of faults that no warning has, each with what it means. */
export const FAULT_CODES = {
  missing_value: 'a required field or parameter is absent',
  invalid_value: 'a field, parameter or file has the wrong type, syntax or range',
  invalid_url: 'a URL can’t be that of an image, a font or a link',
  unknown_parameter: 'a query parameter is unknown, or does not go with the request',
  conflicting_values: 'fields or values exclude each other',
  limit_exceeded: 'there are more layers, characters, rows or levels than allowed',
  asset_failed: 'an image or font can’t be fetched or read',
  render_failed: 'a layer can’t be drawn: a file is malformed or too large, or what is asked for is impossible',
  render_timeout: 'drawing took longer than its time limit',
  more_faults: 'stands for the faults that are left out, which `more` counts',
  template_not_found: 'there is no template with this id',
} as const;

export type WarningCode = keyof typeof WARNING_CODES;
/** The code of one problem: a warning's too, because `strict` turns warnings into faults. */
export type DetailCode = keyof typeof FAULT_CODES | WarningCode;

/** Whether `code` is that of a warning. */
export function isWarningCode(code: string): code is WarningCode {
  return Object.hasOwn(WARNING_CODES, code);
}

// Lets data give a field: the button that makes it an expression, and the input of the expression, which offers the names in its
// scope and leads to the column of a fault.
import { useComputed, useSignal } from '@preact/signals';
import { useContext, useRef } from 'preact/hooks';
import { isBound, type Path } from '../../../document/json.js';
import { expressionFor, namesInScope } from '../../../document/names-in-scope.js';
import { Button, IconButton } from '../../../ui/button.js';
import { type FormField, initialValue } from '../form/controls.js';
import { EditorContext } from '../form/editor-context.js';
import { type FormTarget, MIXED } from '../form/target.js';
import { attributesOf, type ControlProps, labelOfChange, useValue } from './control.js';

/** Fields that name a layer, or say itself where its data come from. */
const UNBINDABLE = ['id', 'name', 'key', 'label', 'style', 'switch'];

/** Whether an expression may give the field in place of a simple value. */
const isBindable = ({ name, control }: FormField, [first]: Path): boolean =>
  first !== 'each' &&
  ['switch', 'choice', 'number', 'color', 'text', 'oneOrMore'].includes(control.kind) &&
  !UNBINDABLE.includes(name);

interface BindButtonProps {
  readonly target: FormTarget;
  readonly path: Path;
  readonly field: FormField;
  /** Whether the field is an expression. */
  readonly isOn: boolean;
}

export function BindButton({ target, path, field, isOn }: BindButtonProps) {
  const { store } = useContext(EditorContext);
  if (!isOn && !isBindable(field, path)) return null;
  const label = `${isOn ? 'Unbind' : 'Bind'} ${field.label.toLowerCase()}`;
  const bind = () => {
    // without the switch an expression is a text
    if (store.document.value.record.placeholders !== true) {
      const merge = `${target.identity.value} ${path.join('.')}`;
      store.dispatch({ type: 'setRecord', path: ['placeholders'], value: true }, { label, merge });
    }
    const value = target.read(path);
    target.write(path, expressionFor(value === MIXED ? undefined : (value ?? field.standard)), label);
  };
  const unbind = () => target.write(path, field.isRequired ? initialValue(field.control) : undefined, label);
  return (
    <IconButton
      icon="variable"
      size="small"
      class="prop-bind"
      aria-pressed={isOn}
      label={`${field.label} from data`}
      onClick={() => {
        if (isOn) unbind();
        else bind();
        target.endStep();
      }}
    />
  );
}

interface ExpressionInputProps extends Omit<ControlProps, 'control'> {
  /** What is wrong with the field, in words. */
  readonly messages: readonly string[];
}

export function ExpressionInput(props: ExpressionInputProps) {
  const { target, path, field, messages } = props;
  const { store } = useContext(EditorContext);
  const input = useRef<HTMLTextAreaElement>(null);
  const value = useValue(target, path);
  // text that is no expression yet, or no longer, stays here until the field is left
  const typed = useSignal<string | undefined>(undefined);
  const text = typed.value ?? (typeof value === 'string' ? value : '');
  const names = useComputed(() => {
    const [id] = store.document.value.selection;
    return id === undefined ? '' : namesInScope(store.document.value, id).join('\n');
  }).value;
  const column = columnOf(messages, text);
  const write = (next: string) => {
    typed.value = isBound(next) ? undefined : next;
    if (typed.value === undefined) target.write(path, next, labelOfChange(field));
  };
  const insert = (name: string) => {
    const element = input.current!;
    const at = insertionPoint(text, element.selectionStart, element.selectionEnd);
    write(`${text.slice(0, at.from)}${name}${text.slice(at.to)}`);
    requestAnimationFrame(() => {
      element.focus();
      element.setSelectionRange(at.from + name.length, at.from + name.length);
    });
  };
  return (
    <div class="prop-expression">
      <textarea
        {...attributesOf(props)}
        ref={input}
        rows={Math.min(6, Math.max(text.split('\n').length, Math.ceil(text.length / 28)))}
        spellcheck={false}
        autocomplete="off"
        class="prop-input prop-textarea prop-code"
        value={text}
        onInput={({ currentTarget }) => write(currentTarget.value)}
        onBlur={() => {
          if (typed.value !== undefined) target.write(path, typed.value || undefined, labelOfChange(field));
          typed.value = undefined;
          target.endStep();
        }}
      />
      {column !== undefined && (
        <Button
          size="small"
          kind="quiet"
          onClick={() => {
            input.current?.focus();
            input.current?.setSelectionRange(column - 1, column);
          }}
        >
          Go to column {column}
        </Button>
      )}
      {target.canEdit && names !== '' && (
        <div class="prop-names" role="group" aria-label="Names to insert">
          {names.split('\n').map((name) => (
            <Button
              key={name}
              size="small"
              // the caret stays where the name goes
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => insert(name)}
            >
              {name}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

/** The column of a fault in the expression, from 1, as far as it lies within. */
function columnOf(messages: readonly string[], text: string): number | undefined {
  const found = messages.map((message) => /, column (\d+): /.exec(message)?.[1]).find((each) => each !== undefined);
  return found === undefined || Number(found) > text.length ? undefined : Number(found);
}

/** The part of an expression that a name replaces: the selection, or the place before the braces if the caret is outside. */
function insertionPoint(text: string, start: number, end: number): { readonly from: number; readonly to: number } {
  const [open, close] = [text.indexOf('{{='), text.lastIndexOf('}}')];
  if (open < 0 || close < open || (start >= open + 3 && end <= close)) return { from: start, to: end };
  const at = text[close - 1] === ' ' ? close - 1 : close;
  return { from: at, to: at };
}

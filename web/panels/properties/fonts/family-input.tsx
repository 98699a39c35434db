// Chooses a family from a list with previews, which the renderer draws as they come into view.
import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from '../../../ui/icon.js';
import { attributesOf, type ControlProps, labelOfChange, useValue } from '../controls/control.js';
import { Popover } from '../controls/popover.js';
import { MIXED } from '../form/target.js';
import { familyNamed, loadUploadedFamilies, type OfferedFamily, offeredFamilies } from './families.js';
import { withFirstFamily } from './family-list.js';
import { FamilyPreview } from './family-preview.js';

export function FamilyInput(props: Omit<ControlProps, 'control'>) {
  const { target, path, field, id } = props;
  const value = useValue(target, path);
  const isOpen = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
  const standard = typeof field.standard === 'string' ? field.standard : undefined;
  const family = typeof value === 'string' ? value : value === MIXED ? undefined : standard;
  const close = () => {
    isOpen.value = false;
    button.current?.focus();
  };
  return (
    <>
      <button
        {...attributesOf(props)}
        ref={button}
        type="button"
        class="prop-input prop-family"
        aria-haspopup="dialog"
        aria-expanded={isOpen.value}
        aria-labelledby={`${id}-label ${id}`}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <span>{value === MIXED ? 'Mixed' : (family ?? 'As the layer')}</span>
        <Icon name="chevron" size={12} />
      </button>
      {isOpen.value && (
        <Popover
          label={field.label}
          anchor={button.current}
          class="family-popover"
          onClose={() => {
            isOpen.value = false;
          }}
        >
          <FamilyList
            chosen={familyNamed(family)?.family ?? family}
            onChoose={(next) => {
              target.write(path, withFirstFamily(family, next), labelOfChange(field));
              target.endStep();
              close();
            }}
          />
        </Popover>
      )}
    </>
  );
}

interface FamilyListProps {
  readonly chosen: string | undefined;
  readonly onChoose: (family: string) => void;
}

function FamilyList({ chosen, onChoose }: FamilyListProps) {
  const id = useId();
  const search = useSignal('');
  const active = useSignal<string | undefined>(chosen);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => void loadUploadedFamilies(), []);
  const wanted = search.value.trim().toLowerCase();
  const families = offeredFamilies().filter(({ family }) => family.toLowerCase().includes(wanted));
  const groups = [...new Set(families.map(({ group }) => group))];
  const index = families.findIndex(({ family }) => family === active.value);
  const optionId = (family: string) => `${id}-${families.findIndex((each) => each.family === family)}`;
  useEffect(() => {
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [active.value]);
  return (
    <>
      <input
        data-autofocus
        class="prop-input"
        type="text"
        role="combobox"
        list={undefined}
        aria-label="Search fonts"
        aria-expanded
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={index < 0 ? undefined : `${id}-${index}`}
        placeholder="Search fonts"
        value={search.value}
        onInput={({ currentTarget }) => {
          search.value = currentTarget.value;
          active.value = undefined;
        }}
        onKeyDown={(event) => {
          const { key } = event;
          if (key === 'ArrowDown' || key === 'ArrowUp') {
            event.preventDefault();
            const next = index < 0 ? 0 : index + (key === 'ArrowDown' ? 1 : -1);
            active.value = families[Math.min(families.length - 1, Math.max(0, next))]?.family;
          } else if (key === 'Enter') {
            event.preventDefault();
            const next = families[Math.max(0, index)];
            if (next) onChoose(next.family);
          }
        }}
      />
      <div ref={list} id={id} class="family-list" role="listbox" aria-label="Fonts" tabIndex={-1}>
        {groups.map((group) => (
          <div key={group} role="group" aria-label={group}>
            <p class="family-group" aria-hidden>
              {group}
            </p>
            {families
              .filter((each) => each.group === group)
              .map((each) => (
                <FamilyOption
                  key={each.family}
                  id={optionId(each.family)}
                  family={each}
                  isChosen={each.family === chosen}
                  isActive={each.family === active.value}
                  onChoose={() => onChoose(each.family)}
                />
              ))}
          </div>
        ))}
        {families.length === 0 && <p class="prop-note">No font has this name.</p>}
      </div>
    </>
  );
}

interface FamilyOptionProps {
  readonly id: string;
  readonly family: OfferedFamily;
  readonly isChosen: boolean;
  readonly isActive: boolean;
  readonly onChoose: () => void;
}

function FamilyOption({ id, family: { family }, isChosen, isActive, onChoose }: FamilyOptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field has the focus and the keys
    <div
      id={id}
      class="family-option"
      role="option"
      aria-label={family}
      aria-selected={isChosen}
      data-active={isActive || undefined}
      tabIndex={-1}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <FamilyPreview family={family} />
      {isChosen && <Icon name="check" size={12} />}
    </div>
  );
}

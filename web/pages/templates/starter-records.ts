// The package's templates, in the order of the dialog.
import badge from '../../../data/templates/badge.json';
import catalogue from '../../../data/templates/catalogue.json';
import certificate from '../../../data/templates/certificate.json';
import changelogCard from '../../../data/templates/changelog-card.json';
import eventCard from '../../../data/templates/event-card.json';
import fixtures from '../../../data/templates/fixtures.json';
import invoice from '../../../data/templates/invoice.json';
import leaderboard from '../../../data/templates/leaderboard.json';
import menu from '../../../data/templates/menu.json';
import ogCard from '../../../data/templates/og-card.json';
import podcast from '../../../data/templates/podcast.json';
import priceLabel from '../../../data/templates/price-label.json';
import product from '../../../data/templates/product.json';
import profile from '../../../data/templates/profile.json';
import quote from '../../../data/templates/quote.json';
import receipt from '../../../data/templates/receipt.json';
import reportCard from '../../../data/templates/report-card.json';
import speakerCard from '../../../data/templates/speaker-card.json';
import story from '../../../data/templates/story.json';
import ticket from '../../../data/templates/ticket.json';

const RECORDS = [
  { record: ogCard, about: 'A link preview with a headline' },
  { record: story, about: 'A tall picture with a call' },
  { record: eventCard, about: 'A title, a date and a place' },
  { record: ticket, about: 'Admission with a QR code' },
  { record: changelogCard, about: 'What is new in a release' },
  { record: product, about: 'A picture, a price and a call' },
  { record: priceLabel, about: 'A large price and a barcode' },
  { record: quote, about: 'Words of any length and who said them' },
  { record: podcast, about: 'The cover of an episode' },
  { record: profile, about: 'A person in a few words and figures' },
  { record: speakerCard, about: 'A talk and who gives it' },
  { record: badge, about: 'A name to wear at a conference' },
  { record: receipt, about: 'What was bought, and the sum' },
  { record: leaderboard, about: 'Players and their scores, sorted' },
  { record: fixtures, about: 'Matches with their dates, as a table' },
  { record: menu, about: 'Dishes in sections, with prices' },
  { record: reportCard, about: 'Marks of a year, with charts' },
  { record: certificate, about: 'An award with a seal and a signature' },
  { record: invoice, about: 'Rows and a total on A4, for PDF' },
  { record: catalogue, about: 'Pages of pictures and prices, for PDF' },
];

export const STARTERS = RECORDS.map((each) => ({ name: each.record.name, ...each }));

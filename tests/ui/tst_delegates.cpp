// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/complaint/complaint_model.h"
#include "models/keys/key_table_model.h"
#include "models/overview/overview_model.h"
#include "models/overview/scopes_model.h"
#include "ui/charts/heat_map.h"
#include "ui/charts/outliers.h"
#include "ui/charts/share_bars.h"
#include "ui/charts/time_bars.h"
#include "ui/delegates/bar_delegate.h"
#include "ui/delegates/class_delegate.h"
#include "ui/delegates/count_delegate.h"
#include "ui/delegates/hit_delegate.h"
#include "ui/delegates/key_delegate.h"
#include "ui/delegates/state_delegate.h"
#include "ui/delegates/two_line_delegate.h"
#include "ui/pages/incident/scope_numbers.h"
#include "ui/pages/recovery/evidence_delegate.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/plain_tool_tips.h"
#include "ui/widgets/verdict_card.h"
#include "ui/window/rail.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QHelpEvent>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QStyleOptionHeader>
#include <QTableView>
#include <QTest>
#include <QTextDocumentFragment>
#include <QToolButton>
#include <QToolTip>
#include <cstdlib>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::ui;
using Roles = models::KeyTableModel;

/// What the delegates paint, light and dark, and that nothing a database says is read as rich text.
class DelegatesTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_theme = new Theme(qApp);
        PlainToolTips::install();
        m_model.setRowCount(1);
        m_model.setColumnCount(1);
    }

    void init()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support ).*"_s));
        m_theme->apply(models::Theme::Light);
        m_model.setItem(0, 0, new QStandardItem);
    }

    /// Cut in the middle of a letter, a line says less than it seems to.
    void aLineWithoutRoomEndsInDots()
    {
        QLabel *label = elidedLabel(nullptr);
        const std::unique_ptr<QLabel> owned(label);
        label->setText(u"actions allowed · PostgreSQL 15 · primary · local socket"_s);
        label->resize(label->sizeHint());
        const QImage whole = label->grab().toImage();
        const std::unique_ptr<QLabel> same(plainLabel(label->text()));
        same->resize(label->size());
        QCOMPARE(whole, same->grab().toImage());
        label->resize(label->width() / 2, label->height());
        same->setText(label->fontMetrics().elidedText(label->text(), Qt::ElideRight, label->width()));
        QVERIFY(same->text().endsWith(u'…'));
        same->resize(label->size());
        QCOMPARE(label->grab().toImage(), same->grab().toImage());
        QCOMPARE(label->minimumSizeHint().width(), 1);
    }

    /// Words of a reason stay whole; what is cut first are references in it.
    void longReferencesAreCutShort_data()
    {
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QString>("shown");
        QTest::newRow("uuid") << u"“order” 1803f2e7-e61f-4855-9ea2-75b5b0019331 exists."_s
                              << u"“order” 1803f2e7… exists."_s;
        QTest::newRow("short key") << u"“ord-261112-0095160” is past its expiry."_s
                                   << u"“ord-261112-0095160” is past its expiry."_s;
        QTest::newRow("long word") << u"It is uncharacteristically late."_s << u"It is uncharacteristically late."_s;
    }

    void longReferencesAreCutShort()
    {
        QFETCH(QString, sentence);
        QFETCH(QString, shown);
        QCOMPARE(EvidenceDelegate::shortened(sentence), shown);
    }

    void aLineAddsUp_data()
    {
        using Kind = sql::RowCount::Kind;
        QTest::addColumn<sql::RowCount>("all");
        QTest::addColumn<sql::RowCount>("stuck");
        QTest::addColumn<QString>("shown");
        QTest::addColumn<bool>("noted");
        QTest::newRow("counted") << sql::RowCount { Kind::Exact, 41 } << sql::RowCount { Kind::Exact, 41 } << u"0"_s
                                 << false;
        QTest::newRow("some work") << sql::RowCount { Kind::Exact, 1'071 } << sql::RowCount { Kind::Exact, 69 }
                                   << u"1,002"_s << false;
        QTest::newRow("counting stopped")
            << sql::RowCount { Kind::AtLeast, 9'076 } << sql::RowCount { Kind::Exact, 1 } << u"≥ 9,075"_s << true;
        QTest::newRow("stuck ones not counted") << sql::RowCount { Kind::Exact, 20'000 }
                                                << sql::RowCount { Kind::AtLeast, 10'000 } << u"not counted"_s << true;
    }

    /// What is stuck is not counted once more with its state, and one sign stands before what may be more.
    void aLineAddsUp()
    {
        QFETCH(sql::RowCount, all);
        QFETCH(sql::RowCount, stuck);
        QFETCH(QString, shown);
        QFETCH(bool, noted);
        sql::Target target;
        target.profile.scope = { { u"tenant"_s, {} } };
        target.profile.stale = QList { sql::TimeRule { { sql::KeyState::InProgress } } };
        models::ScopesModel scopes;
        scopes.reset(target);
        ScopeNumbers numbers(&scopes, nullptr);
        const QAbstractItemModelTester tester(&numbers, QAbstractItemModelTester::FailureReportingMode::QtTest);
        numbers.setProfile(target.profile);
        sql::ScopePage page;
        sql::ScopeCounts line;
        line.scope = { sql::Cell::of(u"a"_s) };
        line.states.insert(sql::KeyState::InProgress, all);
        line.stale = stuck;
        page.scopes = { line };
        scopes.append(page);
        const QModelIndex cell = numbers.index(0, 1 + models::ScopesModel::InProgress);
        QCOMPARE(cell.data().toString(), shown);
        QCOMPARE(numbers.anyAtLeast(), noted);
        QVERIFY(!cell.data(Qt::ToolTipRole).toString().isEmpty());
        QVERIFY(numbers.headerData(cell.column(), Qt::Horizontal, Qt::ToolTipRole).toString().contains(u"Stuck"_s));
    }

    void aBadgeShowsItsStatesColour_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void aBadgeShowsItsStatesColour()
    {
        QFETCH(bool, dark);
        m_theme->apply(dark ? models::Theme::Dark : models::Theme::Light);
        for (const sql::KeyState state : sql::kAllStates) {
            set(u"Some state"_s, state, false, false);
            const QImage image = paint<StateDelegate>();
            QVERIFY2(has(image, themeColor(tokenOf(state, false))), qPrintable(sql::stateName(state)));
        }
        set(u"In progress, stale"_s, sql::KeyState::InProgress, true, false);
        QVERIFY(has(paint<StateDelegate>(), themeColor(Token::Stale)));
    }

    void statesDifferWithoutColour()
    {
        // The same text in every state: what differs is the shape. Compared as black and white.
        QSet<QByteArray> shapes;
        for (const bool stale : { false, true }) {
            for (const sql::KeyState state :
                stale ? QList { sql::KeyState::InProgress } : QList(sql::kAllStates.begin(), sql::kAllStates.end())) {
                set(u"x"_s, state, stale, false);
                const QImage image = paint<StateDelegate>();
                const QColor color = themeColor(tokenOf(state, stale));
                QByteArray mask;
                for (int y = 0; y < image.height(); ++y) {
                    for (int x = 0; x < 32; ++x) {
                        mask += image.pixelColor(x, y) == color ? '1' : '0';
                    }
                }
                shapes.insert(mask);
            }
        }
        QCOMPARE(shapes.size(), qsizetype(sql::kAllStates.size()) + 1);
    }

    /// Badge, text and heading of a column begin at one place.
    void aBadgeBeginsWhereItsHeadingDoes()
    {
        QStyleOptionHeader header;
        header.rect = QRect(40, 0, 160, 28);
        const QRect label = QApplication::style()->subElementRect(QStyle::SE_HeaderLabel, &header);
        QCOMPARE(badgeRoom(header.rect).left(), label.left());
    }

    void anExpiredBadgeIsFainterAndKeepsItsText()
    {
        set(u"Succeeded"_s, sql::KeyState::Succeeded, false, false);
        const QImage fresh = paint<StateDelegate>();
        set(u"Succeeded"_s, sql::KeyState::Succeeded, false, true);
        const QImage expired = paint<StateDelegate>();
        QVERIFY(fresh != expired);
        QVERIFY(has(expired, themeColor(Token::Succeeded)));
    }

    void aRowStillReadHasNoBadge()
    {
        m_model.item(0)->setText(u"…"_s);
        m_model.item(0)->setData(int(Roles::LoadState::Loading), Roles::LoadStateRole);
        const QImage image = paint<StateDelegate>();
        for (const sql::KeyState state : sql::kAllStates) {
            QVERIFY(!has(image, themeColor(tokenOf(state, false))));
        }
    }

    void keysAreCutInTheMiddle()
    {
        const QString head = u"key-of-a-service-"_s;
        const QString fill(200, u'm');
        const auto painted = [this](const QString &text) {
            m_model.item(0)->setText(text);
            return paint<KeyDelegate>();
        };
        const QImage one = painted(head + fill + u"-0001"_s);
        QVERIFY(one != painted(head + fill + u"-0002"_s)); // the end can be seen
        QVERIFY(one != painted(u"k3y-of-a-service-"_s + fill + u"-0001"_s)); // the beginning too
        QVERIFY(one == painted(head + fill + u"mmmm-0001"_s)); // the middle can not
    }

    void aFailedCellIsInTheDangerColour()
    {
        m_model.item(0)->setText(u"error"_s);
        m_model.item(0)->setData(u"division by zero"_s, Roles::ErrorRole);
        QVERIFY(has(paint<CellDelegate>(), themeColor(Token::Danger)));
        m_model.item(0)->setData(QString(), Roles::ErrorRole);
        QVERIFY(!has(paint<CellDelegate>(), themeColor(Token::Danger)));
    }

    void rowsOfTheQueryBeforeAreFaint()
    {
        m_model.item(0)->setText(u"value"_s);
        m_model.item(0)->setData(int(Roles::LoadState::Outdated), Roles::LoadStateRole);
        const QImage image = paint<CellDelegate>();
        QVERIFY(has(image, themeColor(Token::MutedText)));
        QVERIFY(!has(image, themeColor(Token::Text)));
    }

    void countsOfStaleKeysStandOut()
    {
        QStandardItem *item = m_model.item(0);
        item->setText(u"12"_s);
        item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        item->setData(12, models::OverviewModel::RawRole);
        item->setData(int(sql::RowCount::Kind::Exact), models::OverviewModel::CountKindRole);
        item->setData(u"state:stuck"_s, models::OverviewModel::FilterTextRole);
        QVERIFY(has(paint<CountDelegate>(), themeColor(Token::Stale)));
        item->setData(0, models::OverviewModel::RawRole);
        item->setText(u"–"_s);
        QVERIFY(!has(paint<CountDelegate>(), themeColor(Token::Stale)));
    }

    /// Who looks at a card from two metres must not take work done twice for a green end.
    void aVerdictHasItsOutcomesColour_data()
    {
        using models::Certainty;
        using models::VerdictKind;
        QTest::addColumn<VerdictKind>("kind");
        QTest::addColumn<Certainty>("certainty");
        QTest::addColumn<Token>("token");
        QTest::newRow("done once") << VerdictKind::OneEffect << Certainty::Proven << Token::Succeeded;
        QTest::newRow("charged twice") << VerdictKind::SeveralEffects << Certainty::Proven << Token::FailedFinal;
        QTest::newRow("two requests for one") << VerdictKind::SeveralIntents << Certainty::Proven << Token::FailedFinal;
        QTest::newRow("two requests, perhaps meant")
            << VerdictKind::SeveralIntents << Certainty::Likely << Token::Stale;
        QTest::newRow("refused") << VerdictKind::ConflictRefused << Certainty::Proven << Token::Stale;
        QTest::newRow("nothing") << VerdictKind::NothingDone << Certainty::Proven << Token::Pending;
        QTest::newRow("at work") << VerdictKind::Unfinished << Certainty::Open << Token::InProgress;
        QTest::newRow("stuck") << VerdictKind::Stuck << Certainty::Open << Token::Stale;
        QTest::newRow("not known") << VerdictKind::EvidenceMissing << Certainty::Open << Token::Unknown;
    }

    void aVerdictHasItsOutcomesColour()
    {
        QFETCH(models::VerdictKind, kind);
        QFETCH(models::Certainty, certainty);
        QFETCH(Token, token);
        models::Verdict verdict;
        verdict.kind = kind;
        verdict.certainty = certainty;
        verdict.sentence = u"What happened."_s;
        VerdictCard card;
        card.resize(600, 200);
        card.showVerdict(verdict, {});
        card.ensurePolished();
        const QImage image = card.grab().toImage();
        QVERIFY(image.pixelColor(2, image.height() / 2) == themeColor(token));
        QVERIFY(token == Token::Succeeded || !has(image, themeColor(Token::Succeeded)));
        QCOMPARE(card.findChild<QLabel *>(u"caseCertainty"_s)->text(), models::certaintyName(certainty));
        card.showText(u"Reading…"_s);
        QVERIFY(!has(card.grab().toImage(), themeColor(token)));
    }

    /// A long sentence is read whole: what would stand beneath it comes behind it, or gives way.
    void aLongSentenceTakesBothLines()
    {
        QStandardItem *item = m_model.item(0);
        const auto paint = [&](TwoLineDelegate::First first, const QString &text, const QString &second) {
            item->setText(text);
            item->setData(second, models::DetailRole);
            TwoLineDelegate delegate(first, nullptr);
            QImage image(240, 44, QImage::Format_RGB32);
            image.fill(themeColor(Token::Base));
            QPainter painter(&image);
            QStyleOptionViewItem option;
            option.rect = image.rect();
            option.font = QApplication::font();
            option.fontMetrics = QFontMetrics(option.font);
            option.features = QStyleOptionViewItem::WrapText;
            delegate.paint(&painter, option, m_model.index(0, 0));
            return image;
        };
        using First = TwoLineDelegate::First;
        const QString sentence = u"Workers were restarted during the release"_s;
        QCOMPARE(paint(First::Sentence, sentence, u"OPS-1"_s), paint(First::Text, sentence + u" · OPS-1"_s, {}));
        const QString longer = sentence + u"; some were stuck"_s;
        const QString name(60, u'8');
        QCOMPARE(paint(First::Sentence, longer, name), paint(First::Text, longer, {}));
        QCOMPARE(paint(First::Sentence, u"Short"_s, u"OPS-1"_s), paint(First::Text, u"Short"_s, u"OPS-1"_s));
    }

    /// A name that a number covers is read as another.
    void aNumberInTheRailDoesNotTouchTheName()
    {
        Rail rail;
        rail.addPage(u"recovery"_s, u"Recovery"_s, u"recovery"_s);
        rail.setCount(
            u"recovery"_s, { sql::RowCount::Kind::AtLeast, 508 }, u"508 or more are stuck"_s, RailButton::Mood::Firing);
        rail.setCurrent(u"recovery"_s); // in bold
        rail.resize(rail.width(), 200);
        auto *button = rail.findChild<RailButton *>(u"rail_recovery"_s);
        rail.grab(); // lays it out
        const QImage image = button->grab().toImage();
        const QColor pill = themeColor(Token::DangerFill);
        int left = 0;
        while (left < image.width() && image.pixelColor(left, image.height() / 2) != pill) {
            ++left;
        }
        const int name = 5 * kGrid + button->iconSize().width() + 2
            + QFontMetrics(Theme::heading()).horizontalAdvance(u"Recovery"_s);
        QVERIFY(left < image.width());
        QVERIFY2(left >= name + 2, qPrintable(u"%1 after %2"_s.arg(left).arg(name)));
    }

    /// In one row stand the amber of a stuck key and what may be done with it.
    void whatIsSafeToRetryIsNoWarning()
    {
        QSet<int> tokens;
        for (const auto cls : { models::TriageClass::SafeToRetry, models::TriageClass::EffectHappened,
                 models::TriageClass::Abandoned, models::TriageClass::Running, models::TriageClass::NeedsReview }) {
            tokens.insert(int(classBadge(cls).token()));
        }
        QCOMPARE(tokens.size(), 5);
        QVERIFY(!tokens.contains(int(Token::Stale)) && !tokens.contains(int(Token::FailedRetryable)));
    }

    /// What a cell prints and how strong it is are one number; trouble is a corner, and what a sample missed is no
    /// zero.
    void aHeatMapTintsWhatItPrints()
    {
        HeatMap map(u"x"_s, u"Age"_s);
        HeatMap::Cells cells;
        cells.rows = { u"scope"_s };
        cells.columns = { u"a"_s, u"b"_s, u"c"_s };
        cells.values = { { 10'000, 100, 0 } };
        cells.trouble = { { 0, 100, 0 } };
        map.setTroubleTitle(u"some stuck"_s);
        map.resize(600, 80);
        const auto drawn = [&] {
            map.setCells(cells, {});
            return map.grab().toImage();
        };
        const QImage exact = drawn();
        const auto ground = [&map](const QImage &image, int column) {
            return image.pixelColor(map.cellRect(0, column).bottomLeft() + QPoint(2, -3));
        };
        const auto corner = [&map](const QImage &image, int column) {
            return image.pixelColor(map.cellRect(0, column).topRight() + QPoint(-2, 1));
        };
        const QColor window = themeColor(Token::Window);
        QVERIFY(contrast(ground(exact, 0), window) > contrast(ground(exact, 1), window));
        QCOMPARE(corner(exact, 1), themeColor(Token::Stale));
        QVERIFY(corner(exact, 0) != themeColor(Token::Stale));
        cells.trouble = { { 9'000, 90, 0 } }; // changes no cell's ground, and is the same for all
        const QImage other = drawn();
        QVERIFY(corner(other, 0) != themeColor(Token::Stale) && corner(other, 1) != themeColor(Token::Stale));
        QCOMPARE(ground(other, 0), ground(exact, 0));
        QCOMPARE(ground(other, 1), ground(exact, 1));
        cells.sampled = true;
        const QImage sampled = drawn();
        const QRect empty = map.cellRect(0, 2).adjusted(1, 1, -2, -2);
        QVERIFY(sampled.copy(empty) != other.copy(empty));
        QCOMPARE(ground(sampled, 0), ground(exact, 0));
    }

    /// A few stuck keys among thousands have a sign above their bar; they do not stand in it as if they were hundreds.
    void barsAreAsHighAsWhatTheyTell()
    {
        TimeBars bars;
        bars.setBars({ { 10'000, 0, 1 }, { 10'000, 0, 90 }, { 10'000, 0, 0 }, { 10'000, 0, 1 }, { 10'000, 0, 1 } }, {},
            false, true, {});
        bars.setPlain(true); // its legend has the same colours
        bars.resize(300, 48);
        const auto stuck = [&bars](int bar) {
            const QImage image = bars.grab().toImage();
            QList<int> rows; // in which the bar's middle is of the colour of stuck keys
            for (int y = 0; y < image.height(); ++y) {
                if (image.pixelColor(bars.barRect(bar).center().x(), y) == themeColor(Token::Stale)) {
                    rows += y;
                }
            }
            return rows;
        };
        QVERIFY(!stuck(1).isEmpty() && stuck(1).size() <= 6 && stuck(1).constLast() < 12); // above its bar
        for (const int usual : { 0, 2, 3, 4 }) {
            QVERIFY2(stuck(usual).isEmpty(), qPrintable(QString::number(usual)));
        }
        bars.setBars({ { 10'000, 0, 5'000 }, { 10'000, 0, 4'000 } }, {}, false, true, {}); // as high as it is
        QVERIFY(std::abs(stuck(0).size() * 2 - bars.barRect(0).height()) <= 8);
        bars.setBars(QList<sql::SpreadCount>(60, { 10'000, 30, 1 }), {}, false, true, {});
        for (const int bar : { 0, 30, 59 }) { // what is over everything says nothing
            QVERIFY(stuck(bar).isEmpty());
        }
    }

    void outliersAreFewAndFarFromTheRest_data()
    {
        using Numbers = QList<double>;
        QTest::addColumn<Numbers>("trouble");
        QTest::addColumn<Numbers>("rows");
        QTest::addColumn<QList<int>>("found");
        const Numbers even(6, 100);
        QTest::newRow("none") << Numbers(6, 0) << even << QList<int>();
        QTest::newRow("the same everywhere") << Numbers(6, 5) << even << QList<int>();
        QTest::newRow("all of them, as a filter leaves") << even << even << QList<int>();
        QTest::newRow("by its rows") << Numbers { 50, 5 } << Numbers { 10'000, 1'000 } << QList<int>();
        QTest::newRow("one") << Numbers { 1, 1, 40, 1, 1, 1 } << even << QList<int> { 2 };
        QTest::newRow("the worst first") << Numbers { 0, 30, 0, 40, 0, 0 } << even << QList<int> { 3, 1 };
        QTest::newRow("too many") << Numbers { 1, 1, 1, 1, 0, 0, 0, 0, 0 } << Numbers(9, 100) << QList<int>();
        QTest::newRow("equally bad, and few of all") << Numbers { 5, 5, 5, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
                                                     << Numbers(15, 10'000) << QList<int> { 0, 1, 2, 3 };
        QTest::newRow("by excess, not by number")
            << Numbers { 30, 29, 28, 0, 0, 0, 0, 0, 0 } << Numbers { 900, 10, 10, 900, 900, 900, 900, 900, 900 }
            << QList<int> { 1, 2 };
        QTest::newRow("two before many") << Numbers { 9, 1, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 } << Numbers(15, 100)
                                         << QList<int> { 0, 3 };
        QTest::newRow("no rows") << Numbers {} << Numbers {} << QList<int>();
    }

    void outliersAreFewAndFarFromTheRest()
    {
        using Numbers = QList<double>;
        QFETCH(Numbers, trouble);
        QFETCH(Numbers, rows);
        QTEST(outliers(trouble, rows, 2), "found");
    }

    /// A bar that ends in the middle of a number cuts its digits in two.
    void aBarLeavesItsNumberFree()
    {
        BarDelegate delegate;
        m_model.item(0)->setText(u"145"_s);
        m_model.item(0)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        const auto paint = [&](double share) {
            m_model.item(0)->setData(share, models::ShareRole);
            QImage image(200, 28, QImage::Format_RGB32);
            image.fill(themeColor(Token::Base));
            QPainter painter(&image);
            QStyleOptionViewItem option;
            option.rect = image.rect();
            option.font = QApplication::font();
            option.fontMetrics = QFontMetrics(option.font);
            option.widget = nullptr;
            delegate.paint(&painter, option, m_model.index(0, 0));
            return image;
        };
        const QImage none = paint(0);
        const QImage whole = paint(1);
        const int digits
            = QFontMetrics(Theme::figures(QApplication::font())).horizontalAdvance(u"145"_s) + kCellPadding;
        QVERIFY(none != whole);
        QCOMPARE(whole.copy(200 - digits - 2, 0, digits + 2, 28), none.copy(200 - digits - 2, 0, digits + 2, 28));
    }

    /// A small scope tells what goes and what stays as well as a large one, and a handful is still seen.
    void aBarIsTheWholeOfItsScope()
    {
        ShareBars bars(u"x"_s, { { u"goes"_s, Token::Danger }, { u"stays"_s, Token::Succeeded } });
        bars.setBars({ { u"large"_s, { 1'000'000, 3 }, u"1 M"_s }, { u"small"_s, { 5, 5 }, u"10"_s } });
        bars.resize(800, bars.sizeHint().height());
        const QImage image = bars.grab().toImage();
        const int line = bars.sizeHint().height() / 3;
        const auto pixels = [&](int row, Token token) {
            int count = 0;
            for (int x = 0; x < image.width(); ++x) {
                count += image.pixelColor(x, (row + 1) * line + line / 2) == themeColor(token) ? 1 : 0;
            }
            return count;
        };
        QVERIFY(pixels(0, Token::Succeeded) >= 2);
        QVERIFY(std::abs(pixels(1, Token::Danger) - pixels(1, Token::Succeeded)) <= 1);
        QCOMPARE(pixels(0, Token::Danger) + pixels(0, Token::Succeeded),
            pixels(1, Token::Danger) + pixels(1, Token::Succeeded));
        QCOMPARE(bars.sum(0), 1'000'005.0);
        bars.setBars(bars.bars(), { 7, 8 }); // what is known of all of them
        QCOMPARE(bars.sum(0), 7.0);
    }

    /// How large a scope is stands beside how it is shared out: as a number, and by the square root of it.
    void aBarTellsHowLargeItsScopeIs()
    {
        ShareBars bars(u"x"_s, { { u"goes"_s, Token::Danger }, { u"stays"_s, Token::Succeeded } });
        bars.setTitles({ u"Scope"_s, u"Rows"_s });
        bars.setBars({ { u"large"_s, { 90'000, 10'000 }, u"all"_s, u"100 k"_s } });
        QVERIFY2(bars.accessibleDescription().startsWith(u"large: Rows 100 k, all"_s),
            qPrintable(bars.accessibleDescription()));
        // Without digits, of which some are as high as the line.
        bars.setBars({ { u"large"_s, { 90'000, 10'000 }, u"all"_s, u" "_s },
            { u"hundredth"_s, { 500, 500 }, u"some"_s, u" "_s }, { u"tiny"_s, { 1, 1 }, u"two"_s, u" "_s } });
        bars.resize(800, bars.sizeHint().height());
        const QImage image = bars.grab().toImage();
        const int line = bars.sizeHint().height() / 4;
        const auto length = [&](int row) {
            const int top = (row + 1) * line;
            int count = 0;
            for (int x = 190; x < 270; ++x) {
                bool tinted = false;
                for (int y = top + 2; y <= top + 4; ++y) {
                    tinted = tinted || image.pixelColor(x, y) != image.pixelColor(186, top + 1);
                }
                count += tinted ? 1 : 0;
            }
            return count;
        };
        QVERIFY2(length(0) > 70, qPrintable(QString::number(length(0))));
        QVERIFY2(std::abs(length(1) * 10 - length(0)) <= 20, qPrintable(QString::number(length(1))));
        QVERIFY2(length(2) > 0 && length(2) < length(1), qPrintable(QString::number(length(2))));
    }

    void aHitIsMarkedHoweverFarItStands()
    {
        QStandardItem *item = m_model.item(0);
        item->setText(u"{\"card\": \"Visa 4242\"}"_s);
        QVERIFY(!has(paint<HitDelegate>(), themeColor(Token::Warning)));
        item->setData(u"visa"_s, models::ComplaintModel::HitRole);
        QVERIFY(has(paint<HitDelegate>(), themeColor(Token::Warning)));
        item->setText(QString(200, u'm') + u" Visa"_s);
        QVERIFY(has(paint<HitDelegate>(), themeColor(Token::Warning)));
    }

    void toolTipsArePlainText_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("an image") << u"<img src=\"file:///etc/hostname\">"_s;
        QTest::newRow("a link") << u"<a href='x'>click</a>"_s;
        QTest::newRow("bold") << u"<b>bold</b>"_s;
        QTest::newRow("an entity") << u"&lt;b&gt; &amp;"_s;
        QTest::newRow("no markup") << u"ord-1 < ord-2"_s;
        QTest::newRow("two lines") << u"In progress\nRaw status: <i>x</i>"_s;
        QTest::newRow("a long word") << QString(u"<img src=x>"_s + QString(500, u'k'));
    }

    void toolTipsArePlainText()
    {
        QFETCH(QString, text);
        m_model.item(0)->setToolTip(text);
        QTableView view;
        view.setModel(&m_model);
        view.resize(300, 200);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const QPoint place = view.visualRect(m_model.index(0, 0)).center();
        QHelpEvent event(QEvent::ToolTip, place, view.viewport()->mapToGlobal(place));
        QVERIFY(QCoreApplication::sendEvent(view.viewport(), &event));
        QString shown = QTextDocumentFragment::fromHtml(QToolTip::text()).toPlainText();
        shown.remove(QChar(0x200B));
        QCOMPARE(shown.simplified(), text.simplified());

        QLabel label;
        label.setToolTip(text);
        QHelpEvent other(QEvent::ToolTip, { 1, 1 }, { 1, 1 });
        QCoreApplication::sendEvent(&label, &other);
        QVERIFY(!QToolTip::text().contains(u"<img"_s));
        QToolTip::hideText();
    }

    void anErrorShowsItsThreePartsAndItsDetails()
    {
        sql::Error error;
        error.what = u"The keys could not be read."_s;
        error.why = u"The table <b>orders</b> is gone."_s;
        error.todo = u"Look for tables again."_s;
        error.sqlState = u"42P01"_s;
        error.detail = u"ERROR:  relation \"orders\" does not exist"_s;
        NoticeBar bar;
        bar.showError(error, u"Retry"_s);
        QCOMPARE(bar.findChild<QLabel *>(u"noticeWhat"_s)->text(), error.what);
        QCOMPARE(bar.findChild<QLabel *>(u"noticeWhy"_s)->text(), error.why);
        QCOMPARE(bar.findChild<QLabel *>(u"noticeTodo"_s)->text(), error.todo);
        QSignalSpy retried(&bar, &NoticeBar::primaryClicked);
        bar.findChild<QPushButton *>(u"noticePrimary"_s)->click();
        QCOMPARE(retried.size(), 1);
        auto *details = bar.findChild<QPlainTextEdit *>(u"noticeDetails"_s);
        QVERIFY(!details->isVisibleTo(&bar));
        auto *more = bar.findChild<QToolButton *>(u"noticeDetailsButton"_s);
        more->click();
        QVERIFY(details->isVisibleTo(&bar));
        QVERIFY(details->toPlainText().contains(u"42P01"_s));
        QVERIFY(details->toPlainText().contains(error.detail));
        bar.findChild<QPushButton *>(u"noticeCopy"_s)->click();
        const QString copied = QGuiApplication::clipboard()->text();
        QVERIFY(copied.contains(u"42P01"_s) && copied.contains(error.what) && copied.contains(error.todo));
        bar.clear();
        QVERIFY(bar.isHidden());
        for (const QLabel *label : bar.findChildren<QLabel *>()) {
            QVERIFY(!label->pixmap().isNull() || label->textFormat() == Qt::PlainText);
        }
    }

private:
    void set(const QString &text, sql::KeyState state, bool stale, bool expired)
    {
        QStandardItem *item = m_model.item(0);
        item->setText(text);
        item->setData(int(state), Roles::StateRole);
        item->setData(stale, Roles::StaleRole);
        item->setData(expired, Roles::ExpiredRole);
    }

    template <typename Delegate> QImage paint()
    {
        Delegate delegate;
        QImage image(220, 28, QImage::Format_RGB32);
        image.fill(themeColor(Token::Base));
        QPainter painter(&image);
        painter.setRenderHint(QPainter::TextAntialiasing, false);
        QStyleOptionViewItem option;
        option.rect = image.rect();
        option.palette = QApplication::palette();
        option.font = QApplication::font();
        option.font.setStyleStrategy(QFont::NoAntialias); // so that a glyph's colour is the pen's
        option.fontMetrics = QFontMetrics(option.font);
        option.state = QStyle::State_Enabled | QStyle::State_Active;
        delegate.paint(&painter, option, m_model.index(0, 0));
        return image;
    }

    static bool has(const QImage &image, const QColor &color)
    {
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                if (image.pixelColor(x, y) == color) {
                    return true;
                }
            }
        }
        return false;
    }

    Theme *m_theme = nullptr;
    QStandardItemModel m_model;
};

QTEST_MAIN(DelegatesTest)
#include "tst_delegates.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/table/item_role.h"
#include "ui/theme/console_style.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/theme/tokens.h"
#include "ui/widgets/busy_bar.h"
#include "ui/widgets/forms.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/table_setup.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDirIterator>
#include <QFontMetricsF>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QStyle>
#include <QStyleOptionHeader>
#include <QSvgRenderer>
#include <QTableView>
#include <QTableWidget>
#include <QTest>
#include <QTextEdit>
#include <QToolButton>
#include <QVector3D>
#include <QWindow>
#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::ui;

namespace {

/// CIEDE2000.
double differenceOf(const QVector3D &first, const QVector3D &second)
{
    const double degrees = 180 / M_PI;
    const double chroma = (std::hypot(first.y(), first.z()) + std::hypot(second.y(), second.z())) / 2;
    const double grey = 0.5 * (1 - std::sqrt(std::pow(chroma, 7) / (std::pow(chroma, 7) + std::pow(25.0, 7))));
    const auto chromaOf = [grey](const QVector3D &c) { return std::hypot((1 + grey) * c.y(), double(c.z())); };
    const auto hueOf = [&](const QVector3D &c) {
        return std::fmod(std::atan2(double(c.z()), (1 + grey) * c.y()) * degrees + 360, 360);
    };
    const double h1 = hueOf(first);
    const double h2 = hueOf(second);
    const double lightness = (first.x() + second.x()) / 2.0;
    const double mean = (chromaOf(first) + chromaOf(second)) / 2;
    const double hue = std::abs(h1 - h2) <= 180 ? (h1 + h2) / 2 : std::fmod((h1 + h2 + 360) / 2, 360);
    const auto wave = [&](double times, double shift) { return std::cos((times * hue + shift) / degrees); };
    const double t = 1 - 0.17 * wave(1, -30) + 0.24 * wave(2, 0) + 0.32 * wave(3, 6) - 0.20 * wave(4, -63);
    const double off = (lightness - 50) * (lightness - 50);
    const double l = (second.x() - first.x()) / (1 + 0.015 * off / std::sqrt(20 + off));
    const double c = (chromaOf(second) - chromaOf(first)) / (1 + 0.045 * mean);
    const double turned = std::fmod(h2 - h1 + 540, 360) - 180;
    const double h
        = 2 * std::sqrt(chromaOf(first) * chromaOf(second)) * std::sin(turned / 2 / degrees) / (1 + 0.015 * mean * t);
    const double turn = -2 * std::sqrt(std::pow(mean, 7) / (std::pow(mean, 7) + std::pow(25.0, 7)))
        * std::sin(60 * std::exp(-std::pow((hue - 275) / 25, 2)) / degrees);
    return std::sqrt(l * l + c * c + h * h + turn * c * h);
}

} // namespace

/// Colours by meaning, legible in light and dark.
class ThemeTest final : public QObject
{
    Q_OBJECT

    /// CIE L*a*b* (D65) of a colour as it is seen through this matrix over linear RGB.
    static QVector3D labOf(const QColor &color, const QList<double> &seen)
    {
        const auto linear
            = [](double part) { return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4); };
        const double rgb[] = { linear(color.redF()), linear(color.greenF()), linear(color.blueF()) };
        double as[3];
        for (int row = 0; row < 3; ++row) {
            const double sum
                = seen.at(3 * row) * rgb[0] + seen.at(3 * row + 1) * rgb[1] + seen.at(3 * row + 2) * rgb[2];
            as[row] = std::clamp(sum, 0.0, 1.0);
        }
        const auto bent
            = [](double part) { return part > 216.0 / 24389 ? std::cbrt(part) : (24389.0 / 27 * part + 16) / 116; };
        const double x = bent((0.4124 * as[0] + 0.3576 * as[1] + 0.1805 * as[2]) / 0.95047);
        const double y = bent(0.2126 * as[0] + 0.7152 * as[1] + 0.0722 * as[2]);
        const double z = bent((0.0193 * as[0] + 0.1192 * as[1] + 0.9505 * as[2]) / 1.08883);
        return { float(116 * y - 16), float(500 * (x - y)), float(200 * (y - z)) };
    }

private slots:
    void initTestCase() { m_theme = new Theme(qApp); }

    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void cleanup() { m_theme->apply(models::Theme::Light); }

    void contrastIsThatOfTheStandard()
    {
        // Known figures of WCAG 2.1, so that the tests below measure what they say.
        QVERIFY(qAbs(contrast(Qt::black, Qt::white) - 21.0) < 0.01);
        QVERIFY(qAbs(contrast(QColor(0x77, 0x77, 0x77), Qt::white) - 4.48) < 0.01);
        QCOMPARE(contrast(Qt::red, Qt::red), 1.0);
    }

    void textIsLegible_data()
    {
        QTest::addColumn<Token>("text");
        QTest::addColumn<QList<Token>>("grounds");
        const QList<Token> lists { Token::Base, Token::AlternateBase };
        const QList<Token> all { Token::Window, Token::Base, Token::AlternateBase, Token::GroupHead, Token::Sunken };
        QTest::newRow("text") << Token::Text << all;
        QTest::newRow("secondary text") << Token::MutedText << all;
        QTest::newRow("what cannot be pressed now")
            << Token::DisabledText << QList<Token> { Token::Window, Token::Base, Token::AlternateBase };
        QTest::newRow("danger") << Token::Danger << all;
        QTest::newRow("warning") << Token::Warning << all;
        QTest::newRow("links") << Token::Accent << all;
        QTest::newRow("what is selected") << Token::Text << QList<Token> { Token::Selection };
        QTest::newRow("on menus and tool tips") << Token::Text << QList<Token> { Token::Raised };
        QTest::newRow("list of pages") << Token::Text << QList<Token> { Token::Rail };
        QTest::newRow("on the primary button") << Token::OnAccent << QList<Token> { Token::AccentFill };
        QTest::newRow("on the button that takes away") << Token::OnDanger << QList<Token> { Token::DangerFill };
        QTest::newRow("on an environment's band")
            << Token::OnEnvironment
            << QList<Token> { Token::EnvironmentDevelopment, Token::EnvironmentTest, Token::EnvironmentStaging,
                   Token::EnvironmentProduction };
        QTest::newRow("pending") << Token::Pending << lists;
        QTest::newRow("in progress") << Token::InProgress << lists;
        QTest::newRow("stale") << Token::Stale << lists;
        QTest::newRow("succeeded") << Token::Succeeded << lists;
        QTest::newRow("failed, retryable") << Token::FailedRetryable << lists;
        QTest::newRow("failed finally") << Token::FailedFinal << lists;
        QTest::newRow("unknown") << Token::Unknown << lists;
    }

    void textIsLegible()
    {
        QFETCH(Token, text);
        QFETCH(QList<Token>, grounds);
        for (const Scheme scheme : kAllSchemes) {
            for (const Token ground : grounds) {
                const double ratio = contrast(tokenColor(text, scheme), tokenColor(ground, scheme));
                QVERIFY2(ratio >= 4.5,
                    qPrintable(u"%1 on token %2, scheme %3"_s.arg(ratio).arg(int(ground)).arg(int(scheme))));
            }
        }
    }

    void controlsAreSeen()
    {
        // WCAG 2.1, 1.4.11: what can be typed into or pressed is told from its ground by at least 3:1.
        for (const Scheme scheme : kAllSchemes) {
            for (const Token mark : { Token::ControlBorder, Token::Accent }) {
                for (const Token ground : { Token::Window, Token::Base, Token::AlternateBase }) {
                    const double ratio = contrast(tokenColor(mark, scheme), tokenColor(ground, scheme));
                    QVERIFY2(ratio >= 3.0,
                        qPrintable(u"%1 of token %2 on %3, scheme %4"_s.arg(ratio)
                                       .arg(int(mark))
                                       .arg(int(ground))
                                       .arg(int(scheme))));
                }
            }
        }
    }

    /// A box has nothing but its line: one that cannot be ticked is seen all the same, and told from one that can.
    void boxesAreSeen()
    {
        for (const models::Theme choice : { models::Theme::Light, models::Theme::Dark }) {
            m_theme->apply(choice);
            const auto line = [this](QStyle::State state, Token ground) {
                QImage image(20, 20, QImage::Format_RGB32);
                image.fill(m_theme->color(ground));
                QPainter painter(&image);
                QStyleOption option;
                option.rect = image.rect();
                option.state = state | QStyle::State_Off;
                drawCheckBox(&painter, option);
                painter.end();
                return contrast(image.pixelColor(0, 10), m_theme->color(ground));
            };
            const double enabled = line(QStyle::State_Enabled, Token::Base);
            const double disabled = line({}, Token::Base);
            QVERIFY2(disabled >= 1.9 && enabled >= 1.4 * disabled,
                qPrintable(u"%1, disabled %2"_s.arg(enabled).arg(disabled)));
            const double selected = line(QStyle::State_Enabled | QStyle::State_Selected, Token::Selection);
            QVERIFY2(selected >= 3, qPrintable(u"selected %1"_s.arg(selected)));
        }
    }

    /// Who switches the scheme reads the same line: the first four keep their hue, whichever the ground.
    void seriesKeepTheirHue()
    {
        for (int number = 0; number < 4; ++number) {
            const int light = seriesColor(number, Scheme::Light).hsvHue();
            const int dark = seriesColor(number, Scheme::Dark).hsvHue();
            const int apart = std::abs(light - dark);
            QVERIFY2(
                std::min(apart, 360 - apart) <= 60, qPrintable(u"%1: %2 and %3"_s.arg(number).arg(light).arg(dark)));
        }
    }

    void surfacesAreToldApart_data()
    {
        QTest::addColumn<Token>("surface");
        QTest::addColumn<Token>("ground");
        QTest::addColumn<double>("least");
        QTest::newRow("every other row") << Token::AlternateBase << Token::Base << 1.08;
        QTest::newRow("a group's heading among rows") << Token::GroupHead << Token::Base << 1.15;
        QTest::newRow("a group's heading among the other rows") << Token::GroupHead << Token::AlternateBase << 1.08;
        QTest::newRow("an example on a page") << Token::Sunken << Token::Base << 1.1;
    }
    void surfacesAreToldApart()
    {
        QFETCH(Token, surface);
        QFETCH(Token, ground);
        QFETCH(double, least);
        for (const Scheme scheme : { Scheme::Light, Scheme::Dark }) {
            const double ratio = contrast(tokenColor(surface, scheme), tokenColor(ground, scheme));
            QVERIFY2(ratio >= least, qPrintable(u"%1, scheme %2"_s.arg(ratio).arg(int(scheme))));
        }
    }

    /// What stands in one row has one height, whatever it is and however large the texts are.
    void controlsOfARowAreEquallyHigh_data()
    {
        QTest::addColumn<int>("zoom");
        QTest::newRow("usual texts") << 100;
        QTest::newRow("large texts") << 140;
    }
    void controlsOfARowAreEquallyHigh()
    {
        QFETCH(int, zoom);
        m_theme->setZoom(zoom);
        QLineEdit line;
        QPushButton button(u"Export…"_s);
        QComboBox choice;
        choice.addItem(u"Row identity"_s);
        QSpinBox number;
        QToolButton chip;
        chip.setText(u"Stuck"_s);
        QToolButton icon;
        icon.setIcon(themedIcon(u"refresh"_s));
        QSet<int> heights;
        for (const QWidget *each :
            std::initializer_list<const QWidget *> { &line, &button, &choice, &number, &chip, &icon }) {
            heights.insert(each->sizeHint().height());
        }
        m_theme->setZoom(100);
        QStringList found;
        for (const int height : std::as_const(heights)) {
            found += QString::number(height);
        }
        QVERIFY2(heights.size() == 1, qPrintable(found.join(u' ')));
        QVERIFY(*heights.cbegin() >= kControlHeight);
    }

    /// A selected row is mark enough, unless the current cell leads elsewhere than its neighbours.
    void aRowIsMarkedAlone_data()
    {
        QTest::addColumn<bool>("rows");
        QTest::addColumn<bool>("selected");
        QTest::addColumn<bool>("leads");
        QTest::addColumn<bool>("boxed");
        QTest::newRow("a list of rows") << true << true << false << false;
        QTest::newRow("a row that is current and not selected") << true << false << false << true;
        QTest::newRow("a cell that filters") << true << true << true << true;
        QTest::newRow("a list of cells") << false << true << false << true;
    }
    void aRowIsMarkedAlone()
    {
        QFETCH(bool, rows);
        QFETCH(bool, selected);
        QFETCH(bool, leads);
        QFETCH(bool, boxed);
        QTableWidget table(1, 1);
        table.setItem(0, 0, new QTableWidgetItem(u"x"_s));
        if (leads) {
            table.item(0, 0)->setData(models::FilterTextRole, u"state:stuck"_s);
        }
        table.setEditTriggers(QAbstractItemView::NoEditTriggers);
        table.setProperty(kMarksRows, rows);
        table.setCurrentCell(0, 0);
        QStyleOptionFocusRect option;
        option.rect = QRect(0, 0, 60, 28);
        option.state.setFlag(QStyle::State_Selected, selected);
        QImage image(option.rect.size(), QImage::Format_RGB32);
        image.fill(Qt::white);
        const QImage plain = image;
        QPainter painter(&image);
        QApplication::style()->drawPrimitive(QStyle::PE_FrameFocusRect, &option, &painter, &table);
        painter.end();
        QCOMPARE(image != plain, boxed);
    }

    /// Arrow and icon of a filled button stand in the colour of its text, which is that of nothing else on it.
    void whatStandsOnAButtonHasItsTextsColour_data()
    {
        QTest::addColumn<ButtonLook>("look");
        QTest::addColumn<Token>("ink");
        QTest::newRow("primary") << ButtonLook::Primary << Token::OnAccent;
        QTest::newRow("takes something away") << ButtonLook::Danger << Token::OnDanger;
    }
    void whatStandsOnAButtonHasItsTextsColour()
    {
        QFETCH(ButtonLook, look);
        QFETCH(Token, ink);
        for (const models::Theme choice : { models::Theme::Light, models::Theme::Dark }) {
            m_theme->apply(choice);
            QMenu menu;
            QPushButton withArrow;
            withArrow.setMenu(&menu);
            QPushButton withIcon(themedIcon(u"copy"_s), QString());
            for (QPushButton *button : { &withArrow, &withIcon }) {
                setLook(button, look);
                button->resize(60, kControlHeight);
                const QImage image = button->grab().toImage();
                double most = 1;
                for (int y = 4; y < image.height() - 4; ++y) {
                    for (int x = 4; x < image.width() - 4; ++x) {
                        most = std::max(most, contrast(image.pixelColor(x, y), image.pixelColor(6, 6)));
                    }
                }
                const double whole = contrast(m_theme->color(ink), image.pixelColor(6, 6));
                QVERIFY2(whole >= 3 && most >= 0.8 * whole, qPrintable(u"%1 of %2"_s.arg(most).arg(whole)));
            }
        }
    }

    void whatIsDisabledIsLegible()
    {
        for (const models::Theme choice :
            { models::Theme::Light, models::Theme::Dark, models::Theme::ContrastLight, models::Theme::ContrastDark }) {
            m_theme->apply(choice);
            const QPalette palette = QApplication::palette();
            for (const QPalette::ColorRole role : { QPalette::WindowText, QPalette::Text, QPalette::ButtonText }) {
                for (const QPalette::ColorRole ground : { QPalette::Window, QPalette::Base }) {
                    const double ratio
                        = contrast(palette.color(QPalette::Disabled, role), palette.color(QPalette::Disabled, ground));
                    QVERIFY2(ratio >= 4.5, qPrintable(u"%1, theme %2"_s.arg(ratio).arg(int(choice))));
                }
            }
        }
    }

    /// A name stands in the middle of its field's line, whatever the size of the texts; beside a high field at its top.
    void namesOfAFormStandBesideTheirFields()
    {
        for (const double factor : { 1.0, 1.5 }) {
            QFont font = QApplication::font();
            font.setPointSizeF(font.pointSizeF() * factor);
            QWidget form;
            form.setFont(font);
            QFormLayout *layout = formColumn(&form);
            auto *line = new QLineEdit(&form);
            auto *box = new QComboBox(&form);
            auto *text = new QTextEdit(&form);
            text->setMinimumHeight(8 * kControlHeight);
            const std::initializer_list<QWidget *> fields { line, box, text };
            for (QWidget *field : fields) {
                addRow(layout, u"Name"_s, field);
            }
            form.resize(400, form.sizeHint().height());
            layout->activate();
            for (QWidget *field : fields) {
                const QRect name = layout->labelForField(field)->geometry();
                const int off = name.center().y() - field->geometry().top() - line->height() / 2;
                QVERIFY2(std::abs(off) <= 1, qPrintable(u"%1 pixels, %2"_s.arg(off).arg(factor)));
            }
        }
    }

    /// In strong contrasts every line is strong: what cannot be pressed now is told by its own, as pixels have it.
    void strongContrastsTellWhatIsDisabled()
    {
        for (const models::Theme choice : { models::Theme::ContrastLight, models::Theme::ContrastDark }) {
            m_theme->apply(choice);
            QPushButton button;
            QLineEdit field;
            QCheckBox box;
            for (QWidget *control : std::initializer_list<QWidget *> { &button, &field, &box }) {
                control->resize(60, kControlHeight);
                const auto frame = [this, control](bool enabled) {
                    control->setEnabled(enabled);
                    const QImage image = control->grab().toImage();
                    double most = 1;
                    for (int y = 0; y < image.height(); ++y) { // the line at the left, whichever its distance
                        for (int x = 0; x < 6; ++x) {
                            most = std::max(most, contrast(image.pixelColor(x, y), m_theme->color(Token::Window)));
                        }
                    }
                    return most;
                };
                const double enabled = frame(true);
                const double disabled = frame(false);
                QVERIFY2(disabled >= 3 && enabled >= 3 * disabled,
                    qPrintable(u"%1: %2, disabled %3"_s.arg(QString::fromLatin1(control->metaObject()->className()))
                                   .arg(enabled)
                                   .arg(disabled)));
            }
        }
    }

    /// Nothing is filled there, so that the frame alone tells a warning.
    void strongContrastsFrameWhatIsSaid()
    {
        for (const Scheme scheme : { Scheme::ContrastLight, Scheme::ContrastDark }) {
            const QColor window = tokenColor(Token::Window, scheme);
            for (const Token token : { Token::Danger, Token::Warning, Token::Succeeded, Token::Accent }) {
                const double ratio = contrast(badgeFrame(tokenColor(token, scheme), window, 0.3, scheme), window);
                QVERIFY2(ratio >= 4.5, qPrintable(u"%1: %2"_s.arg(int(token)).arg(ratio)));
            }
        }
        m_theme->apply(models::Theme::ContrastLight);
        QWidget page;
        NoticeBar notice(&page);
        notice.showNotice(NoticeBar::Kind::Warning, u"What"_s, u"Why"_s);
        notice.resize(200, 60);
        const QImage image = notice.grab().toImage();
        const double ratio = contrast(image.pixelColor(100, 0), image.pixelColor(4, 30));
        QVERIFY2(ratio >= 4.5, qPrintable(QString::number(ratio)));
    }

    void badgesAndNoticesAreLegible()
    {
        for (const Scheme scheme : kAllSchemes) {
            for (const Token token : { Token::Pending, Token::InProgress, Token::Stale, Token::Succeeded,
                     Token::FailedRetryable, Token::FailedFinal, Token::Unknown }) {
                const QColor color = tokenColor(token, scheme);
                const double ratio = contrast(color, badgeFill(color, tokenColor(Token::Base, scheme), scheme));
                QVERIFY2(
                    ratio >= 4.5, qPrintable(u"badge %1: %2, scheme %3"_s.arg(int(token)).arg(ratio).arg(int(scheme))));
            }
            for (const Token token : { Token::Danger, Token::Warning, Token::Accent }) {
                const QColor ground = badgeFill(tokenColor(token, scheme), tokenColor(Token::Window, scheme), scheme);
                QVERIFY(contrast(tokenColor(Token::Text, scheme), ground) >= 4.5);
            }
        }
    }

    void selectionIsLegible()
    {
        for (const models::Theme choice : { models::Theme::Light, models::Theme::Dark }) {
            m_theme->apply(choice);
            const QPalette palette = QApplication::palette();
            for (const QPalette::ColorGroup group : { QPalette::Active, QPalette::Inactive }) {
                QVERIFY(
                    contrast(palette.color(group, QPalette::Highlight), palette.color(group, QPalette::HighlightedText))
                    >= 4.5);
            }
        }
    }

    void colourBlindTellSeriesApart_data()
    {
        QTest::addColumn<QList<double>>("seen");
        // Linear RGB as they see it, severity 1.0 (Machado, Oliveira and Fernandes 2009).
        QTest::newRow("most people") << QList<double> { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
        QTest::newRow("protanopes") << QList<double> { 0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216,
            -0.003882, -0.048116, 1.051998 };
        QTest::newRow("deuteranopes") << QList<double> { 0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413,
            -0.011820, 0.042940, 0.968881 };
    }
    void colourBlindTellSeriesApart()
    {
        QFETCH(QList<double>, seen);
        for (const Scheme scheme : { Scheme::Light, Scheme::Dark }) {
            for (int a = 0; a < 8; ++a) {
                // Thin lines are drawn paler than their pen; on a dark ground they need more.
                QVERIFY(
                    contrast(seriesColor(a, scheme), tokenColor(Token::Base, scheme)) >= (isDark(scheme) ? 4.5 : 4));
                for (int b = 0; b < a; ++b) {
                    const QVector3D between = labOf(seriesColor(a, scheme), seen) - labOf(seriesColor(b, scheme), seen);
                    QVERIFY2(between.length() >= 30,
                        qPrintable(u"%1 and %2: %3"_s.arg(a).arg(b).arg(double(between.length()))));
                }
            }
        }
    }

    /// As eyes weigh it (CIEDE2000), on the light ground: thin lines, which are paler than their pen. Neighbours differ
    /// in lightness, so that whoever sees no hue tells them apart, too.
    void seriesDifferOnALightGround()
    {
        const QList<double> seen { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
        const auto line = [&seen](int number) {
            return labOf(mixed(tokenColor(Token::Base, Scheme::Light), seriesColor(number, Scheme::Light), 0.7), seen);
        };
        for (int a = 0; a < 8; ++a) {
            for (int b = 0; b < a; ++b) {
                const double apart = differenceOf(line(a), line(b));
                QVERIFY2(apart >= 16, qPrintable(u"%1 and %2: %3"_s.arg(a).arg(b).arg(apart)));
            }
            const double lighter = a > 1 ? std::abs(line(a).x() - line(a - 1).x()) : 100;
            QVERIFY2(lighter >= 12, qPrintable(u"%1: %2"_s.arg(a).arg(lighter)));
        }
    }

    /// As eyes weigh it (CIEDE2000), on the dark ground: eight lines, and all the more the first four.
    void seriesDifferOnADarkGround()
    {
        const QList<double> seen { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
        for (int a = 0; a < 8; ++a) {
            for (int b = 0; b < a; ++b) {
                const double apart = differenceOf(
                    labOf(seriesColor(a, Scheme::Dark), seen), labOf(seriesColor(b, Scheme::Dark), seen));
                QVERIFY2(apart >= (a < 4 ? 25 : 20), qPrintable(u"%1 and %2: %3"_s.arg(a).arg(b).arg(apart)));
            }
        }
    }

    void statesDifferInColour()
    {
        for (const Scheme scheme : kAllSchemes) {
            QSet<QRgb> seen;
            for (const sql::KeyState state : sql::kAllStates) {
                seen.insert(tokenColor(tokenOf(state, false), scheme).rgb());
            }
            seen.insert(tokenColor(tokenOf(sql::KeyState::InProgress, true), scheme).rgb());
            QCOMPARE(seen.size(), qsizetype(sql::kAllStates.size()) + 1);
        }
    }

    void everyRealEnvironmentHasItsColour()
    {
        QVERIFY(!tokenOf(sql::Environment::Unmarked));
        QSet<QRgb> seen;
        for (const sql::Environment environment : { sql::Environment::Development, sql::Environment::Test,
                 sql::Environment::Staging, sql::Environment::Production }) {
            seen.insert(tokenColor(*tokenOf(environment), Scheme::Light).rgb());
        }
        QCOMPARE(seen.size(), 4);
    }

    void theChoiceDecides()
    {
        m_theme->apply(models::Theme::Dark);
        QVERIFY(m_theme->dark());
        QVERIFY(QApplication::palette().color(QPalette::Window).lightness() < 128);
        m_theme->apply(models::Theme::Light);
        QVERIFY(!m_theme->dark());
        QVERIFY(QApplication::palette().color(QPalette::Window).lightness() > 128);
    }

    void aChangeOfTheSystemsThemeIsTakenIn()
    {
        m_theme->apply(models::Theme::System);
        const bool dark = m_theme->dark();
        QSignalSpy changed(m_theme, &Theme::changed);
        QWindow window;
        QEvent event(QEvent::ThemeChange);
        QCoreApplication::sendEvent(&window, &event);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(m_theme->dark(), dark); // the test platform's own palette did not change
        QCOMPARE(QApplication::palette().color(QPalette::Window), m_theme->color(Token::Window));
    }

    /// Texts grow and shrink again: a table that had no scroll bar before has none after.
    void aTableIsAsWideAsBeforeAfterAZoom()
    {
        QStandardItemModel model(1, 3);
        QTableView table;
        table.setModel(&model);
        table.horizontalHeader()->setStretchLastSection(true);
        table.resize(700, 200);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        QTRY_COMPARE(table.horizontalScrollBar()->maximum(), 0);
        for (const int zoom : { 150, 125, 100 }) {
            m_theme->setZoom(zoom);
        }
        QTRY_COMPARE(table.horizontalScrollBar()->maximum(), 0);
    }

    /// Two columns that share their room; when one is hidden, the other takes no more than it may.
    void whatIsHiddenLeavesItsRoom()
    {
        for (const QList<int> &parts : { QList<int> {}, QList<int> { 3, 1 } }) {
            const int most = parts.isEmpty() ? 300 : 0;
            QTableWidget table(1, 3);
            table.verticalHeader()->hide(); // as in the console: else a zoom widens it, and the room is another one
            table.resize(600, 200);
            table.setColumnWidth(2, 100);
            shareRoom(&table, { 0, 1 }, 50, most, parts);
            table.show();
            QVERIFY(QTest::qWaitForWindowExposed(&table));
            const int room = table.viewport()->width();
            const int first = parts.isEmpty() ? (room - 100) / 2 : (room - 100) * 3 / 4;
            QTRY_VERIFY2(std::abs(table.columnWidth(0) - first) <= 1,
                qPrintable(u"%1 of %2, %3, %4"_s.arg(table.columnWidth(0))
                               .arg(room)
                               .arg(table.viewport()->width())
                               .arg(table.columnWidth(1))));
            table.setColumnHidden(1, true);
            QTRY_COMPARE(table.columnWidth(0), parts.isEmpty() ? most : room - 100);
            table.setColumnHidden(1, false);
            QTRY_VERIFY(std::abs(table.columnWidth(0) - first) <= 1);
            if (parts.isEmpty()) { // large texts may take more, and the zoom back leaves nothing of that
                table.setColumnHidden(1, true);
                QTRY_COMPARE(table.columnWidth(0), most);
                m_theme->setZoom(150);
                QTRY_VERIFY(std::abs(table.columnWidth(0) - (room - 150)) <= 1);
                m_theme->setZoom(100);
                QTRY_COMPARE(table.columnWidth(0), most);
            } else {
                table.setColumnWidth(2, 200);
                QTRY_COMPARE(table.columnWidth(0), (room - 200) * 3 / 4);
            }
        }
    }

    /// It comes and goes in the gap: nothing moves, and no room waits for it.
    void aBusyBarLiesInTheGap()
    {
        QWidget window;
        auto *page = new QWidget(&window);
        QVBoxLayout *column = pageColumn(page);
        auto *above = new QLineEdit(page);
        auto *beneath = new QLineEdit(page);
        auto *busy = new BusyBar(u"busy"_s, u"Reading"_s, page);
        busy->lieBelow(above);
        column->addWidget(above);
        column->addWidget(beneath);
        column->addStretch(1);
        page->resize(400, 200);
        window.resize(600, 200);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const QRect gap(above->geometry().bottomLeft() + QPoint(0, 1), beneath->geometry().topRight() - QPoint(0, 1));
        busy->show();
        QCOMPARE(busy->geometry(), gap);
        page->resize(600, 200);
        QTRY_COMPARE(busy->width(), above->width());
        QCOMPARE(beneath->geometry().top(), gap.bottom() + 1);
    }

    void aHeadingStaysWhereItIsWhenItIsSortedBy()
    {
        const QStyle *style = QApplication::style();
        QStyleOptionHeader header;
        header.rect = QRect(0, 0, 120, 28);
        header.state = QStyle::State_Horizontal | QStyle::State_Enabled;
        const QRect label = style->subElementRect(QStyle::SE_HeaderLabel, &header);
        for (const auto sorted : { QStyleOptionHeader::SortUp, QStyleOptionHeader::SortDown }) {
            header.sortIndicator = sorted;
            QCOMPARE(style->subElementRect(QStyle::SE_HeaderLabel, &header), label);
        }
        // And so it is drawn, whole: Qt draws headings by rectangles of its own.
        header.text = u"Stuck"_s;
        header.fontMetrics = QFontMetrics(QApplication::font("QHeaderView"));
        // Its sign stands beside the title: at the column's edge it would seem the next column's.
        const int wide = header.fontMetrics.horizontalAdvance(header.text);
        const QRect after = style->subElementRect(QStyle::SE_HeaderArrow, &header);
        QVERIFY(after.left() > label.left() + wide && after.left() < label.left() + wide + 2 * kGrid);
        header.textAlignment = Qt::AlignRight | Qt::AlignVCenter;
        const QRect before = style->subElementRect(QStyle::SE_HeaderArrow, &header);
        QVERIFY(before.right() < label.right() - wide && before.right() > label.right() - wide - 2 * kGrid);
        header.textAlignment = {};
        const auto drawn = [&](QStyleOptionHeader::SortIndicator sorted) {
            QImage image(header.rect.size(), QImage::Format_RGB32);
            image.fill(m_theme->color(Token::Window));
            QPainter painter(&image);
            header.sortIndicator = sorted;
            style->drawControl(QStyle::CE_Header, &header, &painter);
            painter.end();
            return image;
        };
        const QImage plain = drawn(QStyleOptionHeader::None);
        const QImage sorted = drawn(QStyleOptionHeader::SortUp);
        QVERIFY(plain != sorted);
        const QRect title(label.topLeft(), QSize(wide, label.height()));
        QCOMPARE(plain.copy(title), sorted.copy(title));
        int first = header.rect.height();
        int last = 0;
        for (int y = 0; y < label.height() - 2; ++y) { // above the line beneath
            for (int x = label.left(); x <= label.right(); ++x) {
                if (plain.pixelColor(x, y) != m_theme->color(Token::Window)) {
                    first = std::min(first, y);
                    last = std::max(last, y);
                }
            }
        }
        QVERIFY2(last - first + 1 >= header.fontMetrics.capHeight(), qPrintable(QString::number(last - first + 1)));
    }

    void aChoiceOutlivesAChangeOfTheSystemsTheme()
    {
        m_theme->apply(models::Theme::Dark);
        QWindow window;
        QEvent event(QEvent::ThemeChange);
        QCoreApplication::sendEvent(&window, &event);
        QVERIFY(m_theme->dark());
        QCOMPARE(QApplication::palette().color(QPalette::Window), m_theme->color(Token::Window));
    }

    /// Whoever chose light or dark keeps it; who follows the desktop again has what it is by then.
    void aChoiceOutlivesWhatTheDesktopSays()
    {
        m_theme->apply(models::Theme::Light);
        QSignalSpy changed(m_theme, &Theme::changed);
        m_theme->setDesktopDark(true);
        QVERIFY(!m_theme->dark());
        QCOMPARE(changed.size(), 0);
        m_theme->apply(models::Theme::System);
        QVERIFY(m_theme->dark());
        m_theme->setDesktopDark(false);
        QVERIFY(!m_theme->dark());
        m_theme->setDesktopDark(std::nullopt); // nothing said: its palette, which is light here
        QVERIFY(!m_theme->dark());
        QCOMPARE(changed.size(), 2);
    }

    void figuresLineUp()
    {
        // The window's own font has figures of one width, so that none falls back on the monospace one.
        QCOMPARE(QFontInfo(QApplication::font()).family(), textFamily());
        QCOMPARE(Theme::figures(QApplication::font()).family(), textFamily());
        QCOMPARE(QFontInfo(Theme::monospace()).family(), fixedFamily());
        const QFontMetricsF metrics(Theme::figures(QApplication::font()));
        for (const QChar digit : u"123456789"_s) {
            QVERIFY(qFuzzyCompare(metrics.horizontalAdvance(QString(digit)), metrics.horizontalAdvance(u"0"_s)));
        }
        QVERIFY(QFontInfo(Theme::monospace()).fixedPitch());
    }

    void fontsThatAreNoneStayAsTheyAre_data()
    {
        QTest::addColumn<QByteArray>("font");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("a header that ends early") << QByteArray("OTTO\0\x01", 6);
        QTest::newRow("a table beyond the end")
            << QByteArray("OTTO\0\x01\0\0\0\0\0\0GSUB\0\0\0\0\x7f\xff\xff\xff\0\0\0\x10", 28);
    }

    void fontsThatAreNoneStayAsTheyAre()
    {
        QFETCH(QByteArray, font);
        QCOMPARE(withTabularFigures(font), font);
    }

    void everyIconIsADrawing()
    {
        themedIcon(u"keys"_s); // brings in the resources
        int drawings = 0;
        QDirIterator files(u":/idemdesk/icons"_s, { u"*.svg"_s });
        while (files.hasNext()) {
            const QString file = files.next();
            QVERIFY2(QSvgRenderer(file).isValid(), qPrintable(file));
            QVERIFY2(!themedIcon(QFileInfo(file).completeBaseName()).isNull(), qPrintable(file));
            ++drawings;
        }
        QVERIFY(drawings > 20);
        QVERIFY(themedIcon(u"no-such-icon"_s).isNull());
    }

    void theApplicationsIconIsADrawing()
    {
        for (const int size : { 16, 48, 256 }) {
            const QImage image = applicationIcon().pixmap(size).toImage();
            QCOMPARE(image.width(), size);
            QVERIFY(image.pixelColor(size / 2, size / 2).alpha() == 255);
        }
    }

    void iconsTakeTheThemesColour()
    {
        const QIcon icon = themedIcon(u"keys"_s);
        for (const models::Theme choice : { models::Theme::Light, models::Theme::Dark }) {
            m_theme->apply(choice);
            const QImage image = icon.pixmap(32, 32).toImage();
            bool tinted = false;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    tinted = tinted || image.pixelColor(x, y) == m_theme->color(Token::Text);
                }
            }
            QVERIFY(tinted);
        }
    }

private:
    Theme *m_theme = nullptr;
};

QTEST_MAIN(ThemeTest)
#include "tst_theme.moc"

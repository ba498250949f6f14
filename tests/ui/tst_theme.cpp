// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/theme/tokens.h"

#include <QApplication>
#include <QDirIterator>
#include <QFontMetricsF>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTest>
#include <QWindow>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::ui;

/// Colours by meaning, legible in light and dark.
class TestTheme final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_theme = new Theme(qApp);
    }

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
        const QList<Token> all { Token::Window, Token::Base, Token::AlternateBase };
        QTest::newRow("text") << Token::Text << all;
        QTest::newRow("secondary text") << Token::MutedText << all;
        QTest::newRow("danger") << Token::Danger << all;
        QTest::newRow("warning") << Token::Warning << all;
        QTest::newRow("links") << Token::Accent << all;
        QTest::newRow("on the accent") << Token::OnAccent << QList<Token> { Token::Accent };
        QTest::newRow("on an environment's band") << Token::OnEnvironment
                                                  << QList<Token> { Token::EnvironmentDevelopment, Token::EnvironmentTest,
                                                         Token::EnvironmentStaging, Token::EnvironmentProduction };
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
        for (const bool dark : { false, true }) {
            for (const Token ground : grounds) {
                const double ratio = contrast(tokenColor(text, dark), tokenColor(ground, dark));
                QVERIFY2(ratio >= 4.5, qPrintable(u"%1 on token %2, dark %3"_s.arg(ratio).arg(int(ground)).arg(dark)));
            }
        }
    }

    void badgesAndNoticesAreLegible()
    {
        for (const bool dark : { false, true }) {
            for (const Token token : { Token::Pending, Token::InProgress, Token::Stale, Token::Succeeded, Token::FailedRetryable,
                     Token::FailedFinal, Token::Unknown }) {
                const QColor color = tokenColor(token, dark);
                const double ratio = contrast(color, badgeFill(color, tokenColor(Token::Base, dark), dark));
                QVERIFY2(ratio >= 4.5, qPrintable(u"badge %1: %2, dark %3"_s.arg(int(token)).arg(ratio).arg(dark)));
            }
            for (const Token token : { Token::Danger, Token::Warning, Token::Accent }) {
                const QColor ground = badgeFill(tokenColor(token, dark), tokenColor(Token::Window, dark), dark);
                QVERIFY(contrast(tokenColor(Token::Text, dark), ground) >= 4.5);
            }
        }
    }

    void selectionIsLegible()
    {
        for (const models::Theme choice : { models::Theme::Light, models::Theme::Dark }) {
            m_theme->apply(choice);
            const QPalette palette = QApplication::palette();
            for (const QPalette::ColorGroup group : { QPalette::Active, QPalette::Inactive }) {
                QVERIFY(contrast(palette.color(group, QPalette::Highlight), palette.color(group, QPalette::HighlightedText)) >= 4.5);
            }
        }
    }

    void statesDifferInColour()
    {
        for (const bool dark : { false, true }) {
            QSet<QRgb> seen;
            for (const sql::KeyState state : sql::kAllStates) {
                seen.insert(tokenColor(tokenOf(state, false), dark).rgb());
            }
            seen.insert(tokenColor(tokenOf(sql::KeyState::InProgress, true), dark).rgb());
            QCOMPARE(seen.size(), qsizetype(sql::kAllStates.size()) + 1);
        }
    }

    void everyRealEnvironmentHasItsColour()
    {
        QVERIFY(!tokenOf(sql::Environment::Unmarked));
        QSet<QRgb> seen;
        for (const sql::Environment environment :
            { sql::Environment::Development, sql::Environment::Test, sql::Environment::Staging, sql::Environment::Production }) {
            seen.insert(tokenColor(*tokenOf(environment), false).rgb());
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

    void aChoiceOutlivesAChangeOfTheSystemsTheme()
    {
        m_theme->apply(models::Theme::Dark);
        QWindow window;
        QEvent event(QEvent::ThemeChange);
        QCoreApplication::sendEvent(&window, &event);
        QVERIFY(m_theme->dark());
        QCOMPARE(QApplication::palette().color(QPalette::Window), m_theme->color(Token::Window));
    }

    void figuresLineUp()
    {
        const QFontMetricsF metrics(Theme::figures(QApplication::font()));
        for (const QChar digit : u"123456789"_s) {
            QVERIFY(qFuzzyCompare(metrics.horizontalAdvance(digit), metrics.horizontalAdvance(u'0')));
        }
        QVERIFY(QFontInfo(Theme::monospace()).fixedPitch());
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

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"

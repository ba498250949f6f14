// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QStringList>
#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;
class QStackedWidget;

namespace idemdesk::models {
class ConnectionController;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class MainWindow;
class TourCard;
class TourRing;
class TourShade;

/// A walk of a few steps through the window: a card says what to look at, a ring stands around it, and the rest of the
/// page steps back. The card stands beside the ring wherever there is room. The window goes on working meanwhile, and
/// Escape ends the walk wherever the keyboard is, unless a field took it for itself. Once closed it does not come by
/// itself again.
class Tour final : public QObject
{
    Q_OBJECT

public:
    /// Begins as soon as the window is connected, unless somebody closed it before.
    static void offer(MainWindow *window, models::ConnectionController *connection, models::Settings *settings);
    /// Begins now, from the first step on; a tour under way ends.
    static Tour *begin(MainWindow *window, models::Settings *settings);

    static int stepCount();
    int step() const { return m_step; } ///< from 0
    QWidget *pointedAt() const { return m_target; } ///< null where the step has nothing to point at
    bool looking() const { return m_later.isActive(); } ///< what the step is about may still be read
    void next(); ///< after the last step it closes
    void back();
    void close();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    Tour(MainWindow *window, models::Settings *settings);
    void show(int step);
    void aim();
    void place();
    /// Turns the recovery page to a table with keys that can be ticked, where it has none and shows nobody's choice.
    /// False while that is being looked for.
    bool recoveryReady();
    QStringList tablesToTry() const; ///< those with keys that may be freed, the most stuck ones first
    QRect targetRect() const;
    QRect placeOf(const QWidget *part) const;
    QRect alsoClear() const; ///< of what is pointed at, in the window; empty where it is not seen
    void unfold(QWidget *target); ///< what stands behind another part of the page comes to the front
    void foldBack(); ///< and goes again
    double covered(const QRect &card) const; ///< how much of the window a card there would hide, in weighted pixels
    QPoint bestPlace(const QRect &target, const QSize &card) const;

    MainWindow *m_window;
    models::Settings *m_settings;
    TourShade *m_shade;
    TourRing *m_ring;
    TourCard *m_card;
    QPointer<QWidget> m_target;
    int m_step = 0;
    QTimer m_later; ///< what a step is about may still be read
    int m_looked = 0; ///< how often, for this step
    QStringList m_untried; ///< tables whose keys were not looked at yet
    QString m_before; ///< the table that the recovery page showed
    bool m_sought = false; ///< the recovery page shows what it can
    QPointer<QStackedWidget> m_unfolded;
    int m_folded = 0; ///< its part that was in front
    QRect m_placedBeside; ///< what the card's place was chosen by
    QSize m_placedIn;
    QPoint m_place;
};

/// What a step says, with its buttons.
class TourCard final : public QWidget
{
    Q_OBJECT

public:
    explicit TourCard(QWidget *window);
    void say(const QString &title, const QString &text, int step, int steps);
    void setText(const QString &text);

signals:
    void nextClicked();
    void backClicked();
    void closeClicked();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QLabel *m_title;
    QLabel *m_text;
    QLabel *m_count;
    QPushButton *m_skip;
    QPushButton *m_back;
    QPushButton *m_next;
};

/// Two pixels in the accent around what a step is about; the mouse goes through it.
class TourRing final : public QWidget
{
    Q_OBJECT

public:
    explicit TourRing(QWidget *window);

protected:
    void paintEvent(QPaintEvent *event) override;
};

/// Makes the page faint around what a step is about; the mouse goes through it. None where contrasts are to be strong.
class TourShade final : public QWidget
{
    Q_OBJECT

public:
    explicit TourShade(QWidget *window);
    void setClear(const QRegion &clear); ///< what stays as it is, in the window

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QRegion m_clear;
};

} // namespace idemdesk::ui

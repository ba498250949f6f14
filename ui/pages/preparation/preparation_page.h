// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace idemdesk::models {
class Preparation;
}

namespace idemdesk::ui {

class NoticeBar;

/// Stands in for all pages while something is made that they need: its steps, how far they are, and a way out.
class PreparationPage final : public QWidget
{
    Q_OBJECT

public:
    explicit PreparationPage(QWidget *parent = nullptr);

    /// preparation outlives the page, or goes first.
    void setPreparation(models::Preparation *preparation);

signals:
    void connectClicked(); ///< to something else, where it was cancelled or failed

private:
    void refresh();
    void refreshSteps();
    void refreshTime();

    QPointer<models::Preparation> m_preparation;
    QLabel *m_title;
    QLabel *m_explanation;
    QProgressBar *m_bar;
    QLabel *m_time;
    QVBoxLayout *m_steps;
    NoticeBar *m_notice;
    QPushButton *m_cancel;
    QPushButton *m_retry;
    QPushButton *m_connect;
    QTimer m_second;
};

} // namespace idemdesk::ui
